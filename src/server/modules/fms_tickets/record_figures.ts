import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';

const OWNERS: RecordFigure['of'] = {
  employee: 't.leader_id',
  department: departmentOf('t.leader_id'),
  branch: 't.branch_id',
  entity: 't.entity_id',
};

const RESTORED: RecordFigure['records'] = {
  type: 'fms_ticket',
  by: { employee: 'leader_id', branch: 'branch_id' },
  filter: [
    'and',
    ['ticket_type', 'in', ['breakdown', 'rescue']],
    ['status', 'notin', ['cancelled', 'duplicate']],
    ['restored_at', 'between', [':first', ':last']],
  ],
};

/** Figures of team leaders and units, by the days on which lifts ran again. */
export const recordFigures: Record<string, RecordFigure> = {
  fms_mttr_h: {
    title: 'Hours from a breakdown call to the running lift',
    reads: ['fms_ticket'],
    records: RESTORED,
    of: OWNERS,
    sql: `select :owner as owner, round(avg(extract(epoch from t.restored_at - t.reported_at) / 3600 - coalesce(t.paused_min, 0) / 60.0)::numeric, 4)::text as value
      from {fms_ticket} t cross join span where t.active and :owner = any(span.owners) and t.ticket_type in ('breakdown', 'rescue')
      and t.status not in ('cancelled', 'duplicate')
      and (t.restored_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
  fms_calls_done: {
    title: 'Breakdown calls restored',
    reads: ['fms_ticket'],
    records: RESTORED,
    none: '0',
    of: OWNERS,
    sql: `select :owner as owner, count(*)::text as value
      from {fms_ticket} t cross join span where t.active and :owner = any(span.owners) and t.ticket_type in ('breakdown', 'rescue')
      and t.status not in ('cancelled', 'duplicate')
      and (t.restored_at at time zone span.zone)::date between span.first and span.last group by 1`,
  },
};
