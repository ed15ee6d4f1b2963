import type { PersonFigure } from '../../engine/person_figure.ts';

/** Figures of team leaders, by the last days of the windows of scheduled visits. */
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
};
