import { DateTime } from 'luxon';
import { Exact } from '../../../descriptor/exact.ts';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { FIELD_DAY_READS, fieldDays } from './field_days.ts';

/** Monthly attendance of field staff: days present, late days, hours, jobs, and the share of hours on jobs. */
const monthlyAttendance: ReportSource = {
  reads: FIELD_DAY_READS,
  async rows(call) {
    const { parameters, session, today } = call;
    const first = DateTime.fromISO(`${String(parameters.month)}-01`, { zone: 'utc' });
    const [from, until] = [first.toISODate()!, first.endOf('month').toISODate()!];
    const to = until < today ? until : today;
    const found = await fieldDays(call, {
      from,
      to,
      team: parameters.team_id,
      person: parameters.employee_id,
      branch: parameters.branch_id,
      route: parameters.route_id,
    });
    const works = await worksOn(session.tenant, { entityId: session.entityId!, branchId: null }, from, until);
    let workingDays = 0;
    for (let day = from; day <= to; day = DateTime.fromISO(day, { zone: 'utc' }).plus({ days: 1 }).toISODate()!)
      if (works(day)) workingDays++;
    const people = Map.groupBy(found, ({ employee_id: id }) => id);
    const sum = (of: typeof found, name: 'worked' | 'jobs' | 'on_site') =>
      of.reduce((total, day) => total + (day[name] ?? 0), 0);
    const rows = [...people].map(([id, days]): ReportRow => {
      // Only days with a known end say which part of the day went into jobs.
      const whole = days.filter((day) => day.worked !== null);
      const worked = sum(whole, 'worked');
      const present = new Set(days.map(({ day }) => day)).size;
      return {
        employee_id: id,
        employee_id__label: days[0]!.name,
        team: days[0]!.team,
        present,
        absent: Math.max(0, workingDays - present),
        late: days.filter(({ late }) => late > 0).length,
        worked: whole.length === 0 ? null : worked,
        jobs: sum(days, 'jobs'),
        on_site: sum(days, 'on_site'),
        travel_km: days.reduce((total, day) => total.plus(day.travel_km), new Exact(0)).toFixed(1),
        on_site_percent: worked === 0 ? null : ((sum(whole, 'on_site') * 100) / worked).toFixed(1),
      };
    });
    return {
      rows,
      figures: [
        { title: 'People', value: String(rows.length) },
        { title: 'Working days so far', value: String(workingDays) },
      ],
    };
  },
};

export default monthlyAttendance;
