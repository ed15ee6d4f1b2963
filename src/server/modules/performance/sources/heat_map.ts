import type { HeatMap } from '../../../../domain/performance/heat_map.ts';
import { tableName } from '../../../db/names.ts';
import type { SqlParams } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenMonths } from '../chosen_months.ts';
import { lastDay } from '../kpi_months.ts';
import { peopleChoices } from '../people_choices.ts';
import type { PerformanceSettings } from '../performance_settings.ts';
import { colourOf, settingsSql, withUsual } from '../performance_settings.ts';
import type { PeriodUpdate, SheetDays } from '../period_score.ts';
import { kpiOverPeriod, scoreOf, updatesSql } from '../period_score.ts';

const ROWS = 300;
const COLUMNS = 40;
const MONTHS_BEFORE = 6;

interface Update extends PeriodUpdate {
  employee_id: number;
}

/**
 * Members by KPI or month, with the colours of the company. A KPI has one achievement for the period, computed of the
 * totals of its months, never their mean (performance.md §5.6). A month has the score of its KPIs, or the achievement of
 * the chosen KPI.
 */
const heatMap: ReportSource = {
  reads: {
    kpi_actual: ['value', 'target', 'achievement'],
    kpi: [],
    kpi_sheet: [],
    employee: [],
    base_performance: [],
    calc_settings: [],
  },
  async rows(call) {
    const { session, parameters, today, scoped } = call;
    const { schema } = session.tenant;
    const reader = new SourceReader(call);
    const table = (type: string) => tableName(schema, type);
    const byMonth = parameters.columns === 'month';
    const before = new Date(`${today}T00:00:00Z`);
    before.setUTCDate(1);
    before.setUTCMonth(before.getUTCMonth() - MONTHS_BEFORE);
    const [first, last] = chosenMonths(parameters);
    const from = first ?? before.toISOString().slice(0, 7);
    const to = last ?? today.slice(0, 7);
    const chosen = (values: SqlParams) =>
      [
        'a.active',
        `a.month between ${values.bind(from)} and ${values.bind(to)}`,
        ...scoped('kpi_actual', 'a', values),
        ...peopleChoices(call, 'a', values),
      ].join(' and ');
    const figures = (values: SqlParams) =>
      `${table('kpi_actual')} a join ${table('employee')} e on e.id = a.employee_id join ${table('kpi')} k on k.id = a.kpi_id
       where ${chosen(values)} and a.counts and a.achievement is not null`;
    const [members, columns, [stored]] = await Promise.all([
      reader.query<{ id: number; name: string }>(
        (values) => `select e.id, e.name from ${figures(values)} group by e.id, e.name order by e.name, e.id`,
      ),
      reader.query<{ key: string; name: string }>((values) =>
        byMonth
          ? `select distinct a.month as key, a.month as name from ${figures(values)} order by 1 limit ${COLUMNS}`
          : `select k.id::text as key, k.name from ${figures(values)} group by k.id, k.name order by k.name, k.id limit ${COLUMNS}`,
      ),
      reader.query<{ settings: Partial<PerformanceSettings> }>((values) => settingsSql(values.bind(session.entityId))),
    ]);
    const settings = withUsual(stored?.settings);
    const shown = members.slice(0, ROWS);
    const updates = await reader.query<Update>((values) =>
      updatesSql(
        `${chosen(values)} and a.employee_id = any(${values.bind(shown.map(({ id }) => id))}) and
         ${byMonth ? 'a.month' : 'a.kpi_id::text'} = any(${values.bind(columns.map(({ key }) => key))})`,
        { threshold: values.bind(settings.threshold_percent), cap: values.bind(settings.cap_percent) },
      ),
    );
    const ofOneKpi = (parameters.kpi_id ?? null) !== null;
    const sheets =
      byMonth && !ofOneKpi
        ? await reader.query<SheetDays>(
            (values) => `select id, employee_id, valid_from::text, valid_to::text from {kpi_sheet}
              where id = any(${values.bind([...new Set(updates.map(({ sheet_id: id }) => id))])}) order by valid_from, id`,
          )
        : [];
    const figureOf = (own: readonly Update[], month: string): string | null =>
      byMonth && !ofOneKpi
        ? scoreOf(own, sheets, { from: `${month}-01`, to: lastDay(month) }, settings).score
        : kpiOverPeriod(own, settings.missing_actual).achievement;
    const byMember = Map.groupBy(updates, ({ employee_id: id }) => id);
    const widget: HeatMap = {
      from,
      to,
      columns,
      rows: shown.map(({ id, name }) => {
        const byColumn = Map.groupBy(byMember.get(id) ?? [], (one) => (byMonth ? one.month : String(one.kpi_id)));
        return {
          id,
          name,
          cells: columns.map(({ key }) => {
            // The sheets of a member follow each other; a period is read in the order of its months.
            const own = byColumn.get(key)?.toSorted((a, b) => a.month.localeCompare(b.month));
            const achievement = own ? figureOf(own, key) : null;
            return achievement === null ? null : { achievement, colour: colourOf(achievement, settings) };
          }),
        };
      }),
      left: Math.max(0, members.length - ROWS),
      byMonth,
      shows: byMonth && !ofOneKpi ? 'score' : 'achievement',
    };
    return { rows: [], widget };
  },
};

export default heatMap;
