import { Decimal } from 'decimal.js';
import { achievement } from '../../../domain/performance/achievement.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { MANY_KPIS, achievementLines, monthTitle } from './kpi_lines.ts';
import type { KpiUpdate } from './kpi_figures.ts';
import { groupFigure, kpisOf } from './kpi_figures.ts';
import { monthsOfChosenYear } from './chosen_months.ts';
import { peopleChoices } from './people_choices.ts';
import { sheetFiguresSql } from './sheet_figures.ts';

const YEAR = 'Year';

interface OwnUpdate extends KpiUpdate {
  month: string;
  part: string | null;
  sheet_id: number;
  owner: string | null;
  owner_id: number | null;
  percent: string | null;
}

/** Target and actual of each KPI of a member or unit by month, with the year computed of them (performance.md §7). */
const kpiTargetActual: ReportSource = {
  reads: {
    kpi_actual: ['value', 'target', 'achievement'],
    kpi: [],
    uom: [],
    employee: [],
    base_performance: [],
  },
  async rows(call) {
    const { session, parameters, scoped } = call;
    const { tenant } = session;
    const table = (type: string) => tableName(tenant.schema, type);
    const months = monthsOfChosenYear(parameters);
    const values = new SqlParams();
    const where = [
      'a.active',
      'not a.not_applicable',
      `a.month between ${values.bind(months[0])} and ${values.bind(months.at(-1))}`,
      ...scoped('kpi_actual', 'a', values),
      ...peopleChoices(call, 'a', values),
      ...((parameters.owner_kind ?? null) === null ? [] : [`a.owner_kind = ${values.bind(parameters.owner_kind)}`]),
    ];
    const isApproved = "a.counts and a.status in ('approved', 'frozen')";
    const updates = await tenant.db.query<OwnUpdate>(
      preparedStatement(
        `select a.month, a.kpi_id, a.part, a.part_key, a.sheet_id, a.sheet_id as employee_id, a.employee_id as owner_id, coalesce(e.name, a.unit_name) as owner,
           case when ${isApproved} then a.value::text end as actual, case when ${isApproved} then a.achievement::text end as percent,
           a.target::text, a.base_value::text as base, case when ${isApproved} then ${sheetFiguresSql(table)} end as around
         from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id left join ${table('employee')} e on e.id = a.employee_id
         where ${where.join(' and ')} order by a.month`,
        values.list,
      ),
    );
    const kpis = await kpisOf(tenant, session.entityId, updates);
    const shown = months.filter((month) => updates.some((one) => one.month === month));
    const lines = [
      ...Map.groupBy(updates, (one) => `${one.owner_id}/${one.owner}/${one.kpi_id}/${one.part_key}`).values(),
    ];
    const rows = lines.flatMap((own): ReportRow[] => {
      const kpi = kpis.find(({ id }) => id === own[0]!.kpi_id)!;
      const { owner, owner_id: id, part } = own[0]!;
      const of = (month: string, target: string | null, actual: string | null, percent: string | null): ReportRow => ({
        owner,
        employee_id: id,
        kpi: [kpi.kpi, part].filter((one) => one !== null).join(', '),
        unit: kpi.unit,
        month,
        target,
        actual,
        percent: percent === null ? null : new Decimal(percent).toFixed(2),
      });
      const year = overTime(own, kpi.aggregation, kpi.code);
      // Days and answers of yes or no have no total.
      const isNumber = !['milestone', 'binary', 'range'].includes(kpi.method);
      const result = isNumber ? achievement({ ...kpi, ...year, base: own.at(-1)!.base }) : null;
      return [
        of(YEAR, year.target, year.actual, result && 'percent' in result ? result.percent : null),
        ...own.map((one) => of(monthTitle(one.month), one.target, one.actual, one.percent)),
      ];
    });
    rows.sort((a, b) =>
      `${String(a.owner)} ${String(a.kpi)}`.localeCompare(`${String(b.owner)} ${String(b.kpi)}`, 'en'),
    );
    const heads = [YEAR, ...shown.map(monthTitle)].map((title) => ({ value: title, title }));
    // Sheets of units repeat what their members reach: the chart draws members where there are any. Of one KPI it shows
    // the amounts, of several their achievement.
    const ofMembers = updates.filter((one) => one.owner_id !== null);
    const drawn = ofMembers.length > 0 ? ofMembers : updates;
    const [only] = kpis;
    const monthly = shown.map((month) =>
      only
        ? groupFigure(
            drawn.filter((one) => one.month === month),
            only,
          )
        : null,
    );
    const amounts = (part: 'actual' | 'target') =>
      monthly.map((one) => (one?.[part] === null || one?.[part] === undefined ? null : Number(one[part])));
    const chart =
      kpis.length === 1
        ? {
            x: shown.map(monthTitle),
            series: [
              { title: 'Target', values: amounts('target') },
              { title: 'Actual', values: amounts('actual') },
            ],
          }
        : achievementLines(kpis, shown, (kpi, month) => {
            const own = drawn.filter((one) => one.kpi_id === kpi.id && one.month === month);
            return { ...groupFigure(own, kpi), base: own.at(-1)?.base ?? null };
          });
    return { rows, pivot: heads, ...(chart ? { chart } : rows.length > 0 && { note: MANY_KPIS }) };
  },
};

export default kpiTargetActual;
