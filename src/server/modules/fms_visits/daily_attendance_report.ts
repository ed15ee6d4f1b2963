import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { FIELD_DAY_READS, fieldDays, teamChoices } from './field_days.ts';

/** Field staff on duty on a day, with start time and location; team members without any entry are absent. */
const dailyAttendance: ReportSource = {
  reads: FIELD_DAY_READS,
  async rows(call) {
    const { parameters, session, scoped } = call;
    const day = String(parameters.day);
    const { team_id: team, employee_id: person, branch_id: branch, route_id: route } = parameters;
    const found = await fieldDays(call, { from: day, to: day, team, person, branch, route });
    const table = (type: string) => tableName(session.tenant.schema, type);
    const values = new SqlParams();
    const on = values.bind(day);
    const where = [
      ...scoped('employee', 'e', values),
      `m."from" <= ${on}::date and coalesce(m."to", 'infinity') >= ${on}::date`,
      `e.status = 'active'`,
      ...((team ?? null) === null ? [] : [`m.parent_id = ${values.bind(team)}`]),
      ...((person ?? null) === null ? [] : [`e.id = ${values.bind(person)}`]),
      ...teamChoices(table, values, { branch, route }),
    ];
    const members = await session.tenant.db.query<{ employee_id: number; name: string; team: string }>(
      preparedStatement(
        `select e.id as employee_id, e.name, min(t.name) as team from ${table('team__members')} m join ${table('team')} t on t.id = m.parent_id and t.active
         join ${table('employee')} e on e.id = m.employee_id where ${where.join(' and ')} group by e.id, e.name order by e.name`,
        values.list,
      ),
    );
    const rows = members.map((member): ReportRow => {
      const there = found.find(({ employee_id: id }) => id === member.employee_id);
      const { name, ...rest } = there ?? { ...member, name: member.name };
      return {
        ...rest,
        employee_id: member.employee_id,
        employee_id__label: name,
        state: there ? (there.late > 0 ? 'late' : 'present') : 'absent',
      };
    });
    const count = (state: string) => String(rows.filter((row) => row.state === state).length);
    return {
      rows,
      figures: [
        { title: 'Present', value: String(found.length) },
        { title: 'Late', value: count('late') },
        { title: 'Absent', value: count('absent') },
      ],
    };
  },
};

export default dailyAttendance;
