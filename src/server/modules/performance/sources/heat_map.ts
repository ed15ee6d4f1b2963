import type { HeatMap } from '../../../../domain/performance/heat_map.ts';
import { tableName } from '../../../db/names.ts';
import type { SqlParams } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenMonths } from '../chosen_months.ts';
import { kpiTitleSql } from '../line_part.ts';
import { LINE_KEY, achievementsOf, monthScoresOf } from '../member_figures.ts';
import { peopleChoices } from '../people_choices.ts';
import type { PerformanceSettings } from '../performance_settings.ts';
import { colourOf, settingsSql, withUsual } from '../performance_settings.ts';

const ROWS = 300;
const COLUMNS = 40;
const MONTHS_BEFORE = 6;

/** The company's settings for scores; the tables of settings that nobody has opened yet do not exist. */
async function storedSettings(reader: SourceReader, company: number | null): Promise<PerformanceSettings> {
  const [known] = await reader.query<{ there: boolean }>(
    () =>
      `select to_regclass('{calc_settings}') is not null and to_regclass('{base_performance}') is not null as there`,
  );
  const [stored] = known!.there
    ? await reader.query<{ settings: Partial<PerformanceSettings> }>((values) => settingsSql(values.bind(company)))
    : [];
  return withUsual(stored?.settings);
}

/**
 * Members by KPI or month, with the colours of the company. A KPI has one achievement for the period, computed of the
 * totals of its months, never their mean (performance.md §5.6). A month has the score of its KPIs, or the achievement of
 * the chosen KPI.
 */
const heatMap: ReportSource = {
  // Settings and lists behind the figures are no rights of their own: whoever sees updates sees the map.
  reads: { kpi_actual: ['value', 'target', 'achievement'] },
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
    const known = (values: SqlParams) =>
      `${table('kpi_actual')} a join ${table('employee')} e on e.id = a.employee_id join ${table('kpi')} k on k.id = a.kpi_id
       where ${chosen(values)} and a.counts and a.achievement is not null`;
    const [members, columns, settings] = await Promise.all([
      reader.query<{ id: number; name: string }>(
        (values) => `select e.id, e.name from ${known(values)} group by e.id, e.name order by e.name, e.id`,
      ),
      reader.query<{ key: string; name: string }>((values) =>
        byMonth
          ? `select distinct a.month as key, a.month as name from ${known(values)} order by 1 limit ${COLUMNS}`
          : `select ${LINE_KEY} as key, ${kpiTitleSql('a')} as name from ${known(values)} group by 1, 2 order by 2, 1 limit ${COLUMNS}`,
      ),
      storedSettings(reader, session.entityId),
    ]);
    const shown = members.slice(0, ROWS);
    const inMap = (values: SqlParams) =>
      `${chosen(values)} and a.employee_id = any(${values.bind(shown.map(({ id }) => id))}) and
       ${byMonth ? 'a.month' : LINE_KEY} = any(${values.bind(columns.map(({ key }) => key))})`;
    const shows = byMonth && (parameters.kpi_id ?? null) === null ? 'score' : 'achievement';
    const figures =
      shows === 'score'
        ? await monthScoresOf(reader, inMap, settings)
        : await achievementsOf(reader, inMap, byMonth ? 'month' : 'kpi', settings);
    const widget: HeatMap = {
      from,
      to,
      columns,
      rows: shown.map(({ id, name }) => ({
        id,
        name,
        cells: columns.map(({ key }) => {
          const achievement = figures.get(id)?.get(key);
          return achievement === undefined ? null : { achievement, colour: colourOf(achievement, settings) };
        }),
      })),
      left: Math.max(0, members.length - ROWS),
      byMonth,
      shows,
    };
    return { rows: [], widget };
  },
};

export default heatMap;
