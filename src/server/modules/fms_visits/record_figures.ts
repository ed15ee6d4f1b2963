import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';

/** The monthly counts of lifts in the months of the span: of a team those on its routes, of a branch or company all. */
const ROUTE_MONTHS = `from {lift_month} m left join {route_mstr} r on r.id = m.route_id left join {team} t on t.id = r.team_id cross join span
      where m.active and :owner = any(span.owners) and m.month_on between span.first and span.last group by 1`;
const ROUTE_READS = ['lift_month', 'route_mstr', 'team'];
const OF_LIFTS: RecordFigure['of'] = { employee: 't.leader_id', branch: 'm.branch_id', entity: 'm.entity_id' };
const OF_VISITS: RecordFigure['of'] = {
  employee: 't.leader_id',
  department: departmentOf('t.leader_id'),
  branch: 'v.branch_id',
  entity: 'v.entity_id',
};

/** Figures of team leaders: of their visits, and of the lifts on the routes of their teams; of all who check in; and of units. */
export const recordFigures: Record<string, RecordFigure> = {
  fms_pm_ontime_pct: {
    title: 'Scheduled visits made in time, %',
    reads: ['scheduled_ticket', 'fms_ticket'],
    of: OF_VISITS,
    sql: `select :owner as owner, round(100.0 * count(*) filter (where v.window_result in ('early', 'in_window')) / count(*), 4)::text as value
      from {scheduled_ticket} v join {fms_ticket} t on t.id = v.fms_ticket_id cross join span
      where v.active and :owner = any(span.owners) and v.window_result is not null
      and v.window_to between span.first and span.last group by 1`,
  },
  vis_count: {
    title: 'Scheduled visits made',
    reads: ['scheduled_ticket', 'fms_ticket'],
    of: OF_VISITS,
    none: '0',
    sql: `select :owner as owner, count(*)::text as value
      from {scheduled_ticket} v join {fms_ticket} t on t.id = v.fms_ticket_id cross join span
      where v.active and :owner = any(span.owners) and v.status = 'done'
      and v.done_on between span.first and span.last group by 1`,
  },
  vis_plan_pct: {
    title: 'Planned visits made, %',
    reads: ['scheduled_ticket'],
    of: { ...OF_VISITS, employee: 'v.technician_id', department: departmentOf('v.technician_id') },
    records: {
      type: 'scheduled_ticket',
      by: { employee: 'technician_id', branch: 'branch_id' },
      filter: ['and', ['status', 'notin', ['skipped', 'cancelled']], ['planned_on', 'between', [':first', ':last']]],
    },
    sql: `select :owner as owner, round(100.0 * count(*) filter (where v.status = 'done') / count(*), 4)::text as value
      from {scheduled_ticket} v cross join span where v.active and :owner = any(span.owners)
      and v.status not in ('skipped', 'cancelled') and v.planned_on between span.first and span.last group by 1`,
  },
  fms_breakdown_per_lift: {
    title: 'Breakdown calls per lift and year',
    reads: ROUTE_READS,
    of: OF_LIFTS,
    sql: `select :owner as owner, round(sum(m.calls) * 365.0 / sum(m.cover_days), 2)::text as value ${ROUTE_MONTHS}
      having sum(m.cover_days) > 0`,
  },
  fms_first_time_fix_pct: {
    title: 'Breakdown calls settled by one attendance, %',
    reads: ROUTE_READS,
    of: OF_LIFTS,
    sql: `select :owner as owner, round(100.0 * sum(m.first_time) / sum(m.calls_closed), 2)::text as value ${ROUTE_MONTHS}
      having sum(m.calls_closed) > 0`,
  },
  fms_trapped: {
    title: 'Calls with people trapped',
    reads: ROUTE_READS,
    of: OF_LIFTS,
    none: '0',
    sql: `select :owner as owner, sum(m.trapped)::text as value ${ROUTE_MONTHS}`,
  },
  att_present_pct: {
    title: 'Working days with a check-in, %',
    reads: ['attendance_punch'],
    records: {
      type: 'attendance_punch',
      by: { employee: 'employee_id' },
      filter: ['and', ['direction', 'eq', 'in'], ['at', 'between', [':first', ':last']]],
    },
    byWorkingDay: true,
    of: {
      employee: 'e.id',
      department: 'e.department_id',
      branch: 'e.branch_id',
      entity: 'e.entity_id',
    },
    sql: `select :owner as owner, round(100.0 * count(p.day) / count(*), 4)::text as value
      from working w join {employee} e on e.id = w.person cross join span left join (
        select distinct p.employee_id as person, (p.at at time zone span.zone)::date as day
        from {attendance_punch} p cross join span where p.active and p.direction = 'in' and p.employee_id in (select person from working)
        and (p.at at time zone span.zone)::date between span.first and span.last) p on p.person = w.person and p.day = w.day
      where w.day < (now() at time zone span.zone)::date group by 1`,
  },
};
