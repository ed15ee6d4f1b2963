import type { HeatMap } from '../../../../domain/performance/heat_map.ts';
import { tableName } from '../../../db/names.ts';
import { SqlParams, preparedStatement } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { chosenMonths } from '../chosen_months.ts';
import { peopleChoices } from '../people_choices.ts';
import { colourLimits, colourOf } from '../performance_settings.ts';

const ROWS = 300;
const COLUMNS = 40;
const MONTHS_BEFORE = 6;

/** Members by KPI or month: the mean achievement of approved updates, with its colour (performance.md §7). */
const heatMap: ReportSource = {
  reads: { kpi_actual: ['achievement'] },
  async rows(call) {
    const { session, parameters, today, scoped } = call;
    const { tenant, entityId } = session;
    const table = (type: string) => tableName(tenant.schema, type);
    const byMonth = parameters.columns === 'month';
    const values = new SqlParams();
    const before = new Date(`${today}T00:00:00Z`);
    before.setUTCDate(1);
    before.setUTCMonth(before.getUTCMonth() - MONTHS_BEFORE);
    const [first, last] = chosenMonths(parameters);
    const from = first ?? before.toISOString().slice(0, 7);
    const to = last ?? today.slice(0, 7);
    const where = [
      'a.active',
      'a.counts',
      'a.achievement is not null',
      `a.month between ${values.bind(from)} and ${values.bind(to)}`,
      ...scoped('kpi_actual', 'a', values),
      ...peopleChoices(call, 'a', values),
    ];
    const cells = await tenant.db.query<{
      employee: number;
      member: string;
      key: string;
      name: string;
      achievement: string;
    }>(
      preparedStatement(
        `select e.id as employee, e.name as member, ${byMonth ? 'a.month' : 'k.id::text'} as key,
           ${byMonth ? 'a.month' : 'k.name'} as name, round(avg(a.achievement), 2)::text as achievement
         from ${table('kpi_actual')} a join ${table('employee')} e on e.id = a.employee_id join ${table('kpi')} k on k.id = a.kpi_id
         where ${where.join(' and ')} group by 1, 2, 3, 4 order by 2, 1, 4`,
        values.list,
      ),
    );
    const limits = await colourLimits(tenant, entityId);
    const columns = [...new Map(cells.map(({ key, name }) => [key, name]))]
      .toSorted(([a, left], [b, right]) => (byMonth ? a.localeCompare(b) : left.localeCompare(right)))
      .slice(0, COLUMNS);
    const members = [...Map.groupBy(cells, ({ employee }) => employee).values()];
    const widget: HeatMap = {
      from,
      to,
      columns: columns.map(([key, name]) => ({ key, name })),
      rows: members.slice(0, ROWS).map((own) => ({
        id: own[0]!.employee,
        name: own[0]!.member,
        cells: columns.map(([key]) => {
          const cell = own.find((one) => one.key === key);
          return cell ? { achievement: cell.achievement, colour: colourOf(cell.achievement, limits) } : null;
        }),
      })),
      left: Math.max(0, members.length - ROWS),
      byMonth,
    };
    return { rows: [], widget };
  },
};

export default heatMap;
