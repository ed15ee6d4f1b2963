import { Decimal } from 'decimal.js';
import { moneyRow } from '../../../../domain/board/money_row.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import type { Aggregation } from '../../../../domain/performance/over_time.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageCompanies, pageDay } from '../page_period.ts';
import { provisional } from '../provisional.ts';

interface Line {
  id: number;
  sheet_id: number;
  month: string;
  company_id: number;
  company: string;
  start_month: number;
  kpi_id: number;
  part_key: string;
  kpi: string;
  scale: keyof typeof SCALES | null;
  aggregation: Aggregation;
  actual: string | null;
  target: string | null;
}

/** What one is in the scale of a unit. */
const SCALES = { one: 1, thousand: 1_000, lakh: 100_000, crore: 10_000_000 } as const;

const scaled = (value: string | null, scale: Line['scale']) =>
  value === null
    ? null
    : new Decimal(value)
        .div(SCALES[scale ?? 'one'])
        .toDecimalPlaces(2)
        .toNumber();

/** The financial KPIs in money of the companies' own sheets: month and year to date against target and last year. */
const money: ReportSource = {
  reads: { kpi_actual: ['value', 'target'] },
  async rows(call) {
    const reader = new SourceReader(call);
    const companies = pageCompanies(call);
    const upTo = pageDay(call).slice(0, 7);
    const lines = await reader.query<Line>(
      (
        values,
      ) => `select a.id, a.sheet_id, a.month, e.id as company_id, e.name as company, coalesce(e.fy_start_month, 4) as start_month,
          k.id as kpi_id, a.part_key, concat_ws(', ', k.name, a.part) || ', ' || concat_ws(' ', coalesce(u.symbol, u.code), nullif(u.display_scale, 'one')) as kpi, u.display_scale as scale, k.period_aggregation as aggregation,
          case when a.counts then a.value::text end as actual, a.target::text
        from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {kpi_type} t on t.id = k.kpi_type_id join {uom} u on u.id = k.uom_id
        join {entity} e on e.id = a.entity_id
        where a.owner_kind = 'entity' and a.entity_id = any(${values.bind(companies)}::bigint[]) and coalesce(k.board_visible, true)
          and t.perspective = 'financial' and u.dimension = 'money' and a.month <= ${values.bind(upTo)}
          and ${reader.seen('kpi_actual', 'a', values)} order by e.name, k.id, a.part_key, a.month desc`,
    );
    const rows: { line: Line; month: string }[] = [];
    for (const own of Map.groupBy(lines, ({ company_id: company }) => company).values()) {
      const month = own.reduce((last, one) => (one.actual !== null && one.month > last ? one.month : last), '');
      for (const ofKpi of Map.groupBy(own, ({ kpi_id: kpi, part_key: part }) => `${kpi} ${part}`).values()) {
        const line = ofKpi.find((one) => one.month === month);
        if (line) rows.push({ line, month });
      }
    }
    const latest = rows.reduce((last, { month }) => (month > last ? month : last), '');
    if (latest === '') return { rows: [] };
    const sheets = [...new Set(rows.map(({ line }) => line.sheet_id))];
    return {
      rows: rows.map(({ line, month }) => {
        const own = lines.filter(
          ({ company_id: of, kpi_id: kpi, part_key: part }) =>
            of === line.company_id && kpi === line.kpi_id && part === line.part_key,
        );
        const row = moneyRow(own, month, line.start_month, line.aggregation);
        return {
          update_id: line.id,
          kpi: companies.length > 1 ? `${line.company}: ${line.kpi}` : line.kpi,
          ...Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name, scaled(value as string | null, line.scale)]),
          ),
        };
      }),
      note: [`Of ${monthTitle(latest)}`, (await provisional(call, sheets, latest)) ?? []].flat().join(', '),
    };
  },
};

export default money;
