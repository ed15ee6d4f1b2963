import type { RecordFigure } from '../../engine/record_figure.ts';

/** Figures of owners of actions of meetings, and of units, by the days on which the actions are due. */
export const recordFigures: Record<string, RecordFigure> = {
  mtg_action_closed_pct: {
    title: 'Actions of meetings closed in time, %',
    reads: ['chk_task_instance'],
    records: {
      type: 'chk_task_instance',
      by: { employee: 'assignee_id', department: 'department_id', branch: 'branch_id' },
      filter: [
        'and',
        ['origin', 'eq', 'meeting'],
        ['state', 'ne', 'cancelled'],
        ['state', 'ne', 'not_applicable'],
        ['due_on', 'between', [':first', ':last']],
      ],
    },
    of: {
      employee: 't.assignee_id',
      department: 't.department_id',
      branch: 't.branch_id',
      entity: 't.entity_id',
    },
    // An action that is not closed counts from the day after its due day.
    sql: `select :owner as owner, round(100.0 * count(*) filter (where t.outcome = 'on_time') / count(*), 4)::text as value
      from {chk_task_instance} t cross join span where t.active and t.origin = 'meeting' and :owner = any(span.owners)
      and t.due_on between span.first and span.last and (t.outcome in ('on_time', 'late', 'missed')
        or t.outcome is null and t.due_on < (now() at time zone span.zone)::date) group by 1`,
  },
};
