import type { PersonFigure } from '../../engine/person_figure.ts';

const SOLVED: PersonFigure['records'] = {
  type: 'ticket',
  filter: [
    'and',
    ['assignee_id', 'eq', ':person'],
    ['status', 'in', ['resolved', 'closed']],
    ['resolved_at', 'between', [':first', ':last']],
  ],
};

/** Figures of whoever has solved tickets. */
export const personFigures: Record<string, PersonFigure> = {
  tkt_closed: {
    title: 'Tickets solved',
    reads: ['ticket'],
    records: SOLVED,
    none: '0',
    sql: `select t.assignee_id as person, count(*)::text as value from {ticket} t cross join span
      where t.active and t.assignee_id = any(span.people) and t.status in ('resolved', 'closed')
      and (t.resolved_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
  tkt_sla_pct: {
    title: 'Tickets solved in time, %',
    reads: ['ticket'],
    records: SOLVED,
    sql: `select t.assignee_id as person, round(100.0 * count(*) filter (where not t.resolution_breached) / count(*), 4)::text as value
      from {ticket} t cross join span where t.active and t.assignee_id = any(span.people) and t.status in ('resolved', 'closed')
      and (t.resolved_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
  tkt_mttr_h: {
    title: 'Hours from a ticket to its solution',
    reads: ['ticket'],
    records: SOLVED,
    sql: `select t.assignee_id as person, round(avg(extract(epoch from t.resolved_at - t.raised_at) / 3600)::numeric, 4)::text as value
      from {ticket} t cross join span where t.active and t.assignee_id = any(span.people) and t.status in ('resolved', 'closed')
      and (t.resolved_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
};
