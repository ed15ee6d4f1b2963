import type { PersonFigure } from '../../engine/person_figure.ts';

/** Tasks with one of these outcomes. */
const tasks = (outcomes: readonly string[]): PersonFigure['records'] => ({
  type: 'chk_task_instance',
  filter: [
    'and',
    ['assignee_id', 'eq', ':person'],
    ['outcome', 'in', [...outcomes]],
    ['due_on', 'between', [':first', ':last']],
  ],
});

/** Figures of whoever does the tasks of checklists, by the days on which these are due. */
export const personFigures: Record<string, PersonFigure> = {
  chk_ontime_pct: {
    title: 'Checklist tasks done in time, %',
    reads: ['chk_task_instance'],
    records: tasks(['on_time', 'late', 'missed']),
    sql: `select t.assignee_id as person, round(100.0 * count(*) filter (where t.outcome = 'on_time') / count(*), 4)::text as value
      from {chk_task_instance} t cross join span where t.active and t.assignee_id = any(span.people) and t.outcome in ('on_time', 'late', 'missed')
      and t.due_on between span.first and span.last group by 1`,
  },
  chk_late: {
    title: 'Checklist tasks late or missed',
    reads: ['chk_task_instance'],
    records: tasks(['late', 'missed']),
    none: '0',
    sql: `select t.assignee_id as person, count(*)::text as value
      from {chk_task_instance} t cross join span where t.active and t.assignee_id = any(span.people) and t.outcome in ('late', 'missed')
      and t.due_on between span.first and span.last group by 1`,
  },
};
