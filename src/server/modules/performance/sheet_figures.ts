import { WHOLE } from './line_part.ts';

/**
 * Figures of a sheet in a month by the codes of their KPIs: of the updates `ia`, their KPIs `ik` and what weights them `iw`.
 * @param last the updates that count if a KPI has several come last by this
 */
const figuresByCode = (
  last: string,
): string => `jsonb_object_agg(ik.code, jsonb_build_object('actual', ia.value::text, 'target', ia.target::text,
      'aggregation', ik.period_aggregation, 'formula', case when ik.source = 'formula' then ik.formula end, 'weighted_by', iw.code) order by ${last})`;
export const FIGURES_BY_CODE = figuresByCode('ia.id');

/** The updates that these figures are from. */
export const figuresFromSql = (table: (type: string) => string = (type) => `{${type}}`): string =>
  `${table('kpi_actual')} ia join ${table('kpi')} ik on ik.id = ia.kpi_id
    left join ${table('kpi')} iw on iw.id = ik.weight_kpi_id
    where ia.active and ia.counts and not ia.not_applicable and ia.value is not null`;

/**
 * What is approved on an update's sheet in its month (`a`, its KPI is `k`), by the codes of the KPIs: longer periods of
 * weighted and calculated KPIs follow from it (§5.6): of the same part, otherwise of the whole KPI. Null for all others.
 */
export const sheetFiguresSql = (table: (type: string) => string = (type) => `{${type}}`): string =>
  `case when k.period_aggregation in ('weighted', 'formula') then (
    select ${figuresByCode('ia.part_key = a.part_key')} from ${figuresFromSql(table)} and ia.sheet_id = a.sheet_id
      and ia.month = a.month and ia.part_key in (a.part_key, '${WHOLE}')) end`;
