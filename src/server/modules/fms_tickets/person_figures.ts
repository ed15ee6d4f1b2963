import type { PersonFigure } from '../../engine/person_figure.ts';

const RESTORED: PersonFigure['records'] = {
  type: 'fms_ticket',
  filter: [
    'and',
    ['leader_id', 'eq', ':person'],
    ['ticket_type', 'in', ['breakdown', 'rescue']],
    ['status', 'notin', ['cancelled', 'duplicate']],
    ['restored_at', 'between', [':first', ':last']],
  ],
};

/** Figures of team leaders, by the days on which lifts ran again. */
export const personFigures: Record<string, PersonFigure> = {
  fms_mttr_h: {
    title: 'Hours from a breakdown call to the running lift',
    reads: ['fms_ticket'],
    records: RESTORED,
    sql: `select t.leader_id as person, round(avg(extract(epoch from t.restored_at - t.reported_at) / 3600 - coalesce(t.paused_min, 0) / 60.0)::numeric, 4)::text as value
      from {fms_ticket} t cross join span where t.active and t.leader_id = any(span.people) and t.ticket_type in ('breakdown', 'rescue')
      and t.status not in ('cancelled', 'duplicate')
      and (t.restored_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
  fms_calls_done: {
    title: 'Breakdown calls restored',
    reads: ['fms_ticket'],
    records: RESTORED,
    none: '0',
    sql: `select t.leader_id as person, count(*)::text as value
      from {fms_ticket} t cross join span where t.active and t.leader_id = any(span.people) and t.ticket_type in ('breakdown', 'rescue')
      and t.status not in ('cancelled', 'duplicate')
      and (t.restored_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
};
