import { leaveOn, shareOf } from '../../../domain/leave.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { leaveBetween } from '../../access/people/leave.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { FIELD_DAY_READS, fieldDays, fieldMembers } from './field_days.ts';

/**
 * Field staff on duty on a day, with start time and location; team members without any entry are absent or on leave.
 */
const dailyAttendance: ReportSource = {
  reads: FIELD_DAY_READS,
  async rows(call) {
    const { parameters } = call;
    const day = String(parameters.day);
    const { team_id: team, employee_id: person, branch_id: branch, route_id: route } = parameters;
    const found = await fieldDays(call, { from: day, to: day, team, person, branch, route });
    const members = await fieldMembers(call, { from: day, to: day, team, person, branch, route });
    const leaves = await leaveBetween(call.session.tenant, day, day);
    const missing = (id: number) => (shareOf(leaveOn(leaves, id, day)) === 1 ? 'on_leave' : 'absent');
    const rows = members.map((member): ReportRow => {
      const there = found.find(({ employee_id: id }) => id === member.employee_id);
      const { name, ...rest } = there ?? { ...member, name: member.name };
      return {
        ...rest,
        employee_id: member.employee_id,
        employee_id__label: name,
        state: there ? (there.late > 0 ? 'late' : 'present') : missing(member.employee_id),
      };
    });
    const count = (state: string) => String(rows.filter((row) => row.state === state).length);
    return {
      rows,
      figures: [
        { title: 'Present', value: String(found.length) },
        { title: 'Late', value: count('late') },
        { title: 'On leave', value: count('on_leave') },
        { title: 'Absent', value: count('absent') },
      ],
    };
  },
};

export default dailyAttendance;
