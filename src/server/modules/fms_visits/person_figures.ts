import type { PersonFigure } from '../../engine/person_figure.ts';

/** The monthly counts of the lifts on the routes of a team, in the months of the span. */
const ROUTE_MONTHS = `from {lift_month} m join {route_mstr} r on r.id = m.route_id join {team} t on t.id = r.team_id cross join span
      where m.active and t.leader_id = any(span.people) and m.month_on between span.first and span.last group by 1`;
const ROUTE_READS = ['lift_month', 'route_mstr', 'team'];

/** Figures of team leaders: of their visits, and of the lifts on the routes of their teams; and of all who check in. */
export const personFigures: Record<string, PersonFigure> = {
  fms_pm_ontime_pct: {
    title: 'Scheduled visits made in time, %',
    reads: ['scheduled_ticket', 'fms_ticket'],
    sql: `select t.leader_id as person, round(100.0 * count(*) filter (where v.window_result in ('early', 'in_window')) / count(*), 4)::text as value
      from {scheduled_ticket} v join {fms_ticket} t on t.id = v.fms_ticket_id cross join span
      where v.active and t.leader_id = any(span.people) and v.window_result is not null
      and v.window_to between span.first and span.last group by 1`,
  },
  vis_count: {
    title: 'Scheduled visits made',
    reads: ['scheduled_ticket', 'fms_ticket'],
    none: '0',
    sql: `select t.leader_id as person, count(*)::text as value
      from {scheduled_ticket} v join {fms_ticket} t on t.id = v.fms_ticket_id cross join span
      where v.active and t.leader_id = any(span.people) and v.status = 'done'
      and v.done_on between span.first and span.last group by 1`,
  },
  vis_plan_pct: {
    title: 'Planned visits made, %',
    reads: ['scheduled_ticket'],
    records: {
      type: 'scheduled_ticket',
      filter: [
        'and',
        ['technician_id', 'eq', ':person'],
        ['status', 'notin', ['skipped', 'cancelled']],
        ['planned_on', 'between', [':first', ':last']],
      ],
    },
    sql: `select v.technician_id as person, round(100.0 * count(*) filter (where v.status = 'done') / count(*), 4)::text as value
      from {scheduled_ticket} v cross join span where v.active and v.technician_id = any(span.people)
      and v.status not in ('skipped', 'cancelled') and v.planned_on between span.first and span.last group by 1`,
  },
  fms_breakdown_per_lift: {
    title: 'Breakdown calls per lift and year',
    reads: ROUTE_READS,
    sql: `select t.leader_id as person, round(sum(m.calls) * 365.0 / sum(m.cover_days), 2)::text as value ${ROUTE_MONTHS}
      having sum(m.cover_days) > 0`,
  },
  fms_first_time_fix_pct: {
    title: 'Breakdown calls settled by one attendance, %',
    reads: ROUTE_READS,
    sql: `select t.leader_id as person, round(100.0 * sum(m.first_time) / sum(m.calls_closed), 2)::text as value ${ROUTE_MONTHS}
      having sum(m.calls_closed) > 0`,
  },
  fms_trapped: {
    title: 'Calls with people trapped',
    reads: ROUTE_READS,
    none: '0',
    sql: `select t.leader_id as person, sum(m.trapped)::text as value ${ROUTE_MONTHS}`,
  },
  att_present_pct: {
    title: 'Working days with a check-in, %',
    reads: ['attendance_punch'],
    records: {
      type: 'attendance_punch',
      filter: [
        'and',
        ['employee_id', 'eq', ':person'],
        ['direction', 'eq', 'in'],
        ['at', 'between', [':first', ':last']],
      ],
    },
    byWorkingDay: true,
    sql: `select w.person, round(100.0 * count(p.day) / count(*), 4)::text as value
      from working w cross join span left join (
        select distinct p.employee_id as person, (p.at at time zone span.zone)::date as day
        from {attendance_punch} p cross join span where p.active and p.direction = 'in' and p.employee_id = any(span.people)
        and (p.at at time zone span.zone)::date between span.first and span.last) p on p.person = w.person and p.day = w.day
      where w.day < (now() at time zone span.zone)::date group by 1`,
  },
};
