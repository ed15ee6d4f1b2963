import type { ReportFigure, ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { kpiTitleSql } from './line_part.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { inChosenMonths } from './chosen_months.ts';
import { peopleChoices } from './people_choices.ts';

/** The states in the order of their work, with their titles. */
const STATES = {
  not_due: 'Not due',
  due: 'Due',
  overdue: 'Overdue',
  returned: 'Returned',
  submitted: 'Submitted',
  approved: 'Approved',
  frozen: 'Frozen',
} as const;
type State = keyof typeof STATES;

/** Updates are due from the day on which they open; figures that nobody enters are never due. */
const stateOf = (today: string): string => `case when a.status <> 'to_enter' then a.status
  when a.source <> 'manual' then 'not_due' when a.due_on < ${today} then 'overdue'
  when a.opens_on > ${today} then 'not_due' else 'due' end`;

/** Each update of a member or unit with its state, most late first (performance.md §7). */
const kpiStatus: ReportSource = {
  reads: { kpi_actual: ['due_on', 'entered_on'], kpi: [], employee: [], department: [] },
  async rows(call) {
    const { session, parameters, scoped, today } = call;
    const { schema, db } = session.tenant;
    const table = (type: string) => tableName(schema, type);
    const values = new SqlParams();
    const day = `${values.bind(today)}::date`;
    const given = (name: string) => parameters[name] ?? null;
    const where = [
      'a.active',
      ...scoped('kpi_actual', 'a', values),
      ...peopleChoices(call, 'a', values),
      ...inChosenMonths(parameters, values),
      ...(given('owner_kind') === null ? [] : [`a.owner_kind = ${values.bind(given('owner_kind'))}`]),
      ...(given('state') === null ? [] : [`${stateOf(day)} = ${values.bind(given('state'))}`]),
    ];
    const updates = `select a.id as update_id, a.employee_id, a.month, a.due_on, a.entered_on, ${kpiTitleSql('a')} as kpi, ${stateOf(day)} as state,
        coalesce(e.name, a.unit_name) as member, coalesce(d.name, 'None') as department, p.name as approver,
        case when a.entered_on is not null then greatest(a.entered_on - a.due_on, 0)
          when ${stateOf(day)} in ('overdue', 'returned') then greatest(${day} - a.due_on, 0) end as days_late
      from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id
      left join ${table('employee')} e on e.id = a.employee_id left join ${table('department')} d on d.id = a.department_id
      left join ${table('employee')} p on p.id = coalesce(a.approver_id, a.manager_id) where ${where.join(' and ')}`;
    const [rows, counts] = await Promise.all([
      db.query<ReportRow>(
        preparedStatement(
          `select u.*, u.due_on::text as due_on, u.entered_on::text as entered_on from (${updates}) u
           order by u.days_late desc nulls last, u.month, u.member, u.kpi limit ${MAX_ROWS + 1}`,
          values.list,
        ),
      ),
      db.query<{ department: string; state: State; count: number }>(
        preparedStatement(
          `select u.department, u.state, count(*)::int as count from (${updates}) u group by 1, 2 order by 1`,
          values.list,
        ),
      ),
    ]);
    const states = (Object.keys(STATES) as State[]).filter((state) => counts.some((one) => one.state === state));
    const departments = [...new Set(counts.map(({ department }) => department))];
    const sum = (of: typeof counts) => of.reduce((all, { count }) => all + count, 0);
    const figures = states.map((state): ReportFigure => ({
      title: STATES[state],
      value: String(sum(counts.filter((one) => one.state === state))),
      ...(state === 'overdue' && { tone: 'danger' }),
    }));
    const series = states.map((state) => ({
      title: STATES[state],
      values: departments.map((name) => sum(counts.filter((one) => one.department === name && one.state === state))),
    }));
    return { rows, figures, chart: { x: departments, series } };
  },
};

export default kpiStatus;
