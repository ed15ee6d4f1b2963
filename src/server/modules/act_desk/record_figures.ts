import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';

const OWNERS: RecordFigure['of'] = {
  employee: 't.assignee_id',
  department: departmentOf('t.assignee_id'),
  branch: 't.branch_id',
  entity: 't.entity_id',
};

const SOLVED: RecordFigure['records'] = {
  type: 'ticket',
  by: { employee: 'assignee_id', branch: 'branch_id' },
  filter: ['and', ['status', 'in', ['resolved', 'closed']], ['resolved_at', 'between', [':first', ':last']]],
};

/** Figures of whoever has solved tickets, and of units. */
export const recordFigures: Record<string, RecordFigure> = {
  tkt_closed: {
    title: 'Tickets solved',
    reads: ['ticket'],
    records: SOLVED,
    none: '0',
    of: OWNERS,
    sql: `select :owner as owner, count(*)::text as value from {ticket} t cross join span
      where t.active and :owner = any(span.owners) and t.status in ('resolved', 'closed')
      and (t.resolved_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
  tkt_sla_pct: {
    title: 'Tickets solved in time, %',
    reads: ['ticket'],
    records: SOLVED,
    of: OWNERS,
    sql: `select :owner as owner, round(100.0 * count(*) filter (where not t.resolution_breached) / count(*), 4)::text as value
      from {ticket} t cross join span where t.active and :owner = any(span.owners) and t.status in ('resolved', 'closed')
      and (t.resolved_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
  tkt_mttr_h: {
    title: 'Hours from a ticket to its solution',
    reads: ['ticket'],
    records: SOLVED,
    of: OWNERS,
    sql: `select :owner as owner, round(avg(extract(epoch from t.resolved_at - t.raised_at) / 3600)::numeric, 4)::text as value
      from {ticket} t cross join span where t.active and :owner = any(span.owners) and t.status in ('resolved', 'closed')
      and (t.resolved_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
};
