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
  chk_kpi_score: {
    title: 'Score of the checklists of the KPI',
    reads: ['chk_task_instance', 'chk_instance', 'master_checklist'],
    sql: `select x.person, round(sum(x.weight * case when x.outcome in ('on_time', 'late') then coalesce(x.score, 0) else 0 end) / sum(x.weight), 4)::text as value
      from (select t.assignee_id as person, t.outcome, t.score,
          t.weight * case t.criticality when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0.5 end as weight
        from {chk_task_instance} t join {chk_instance} i on i.id = t.origin_id and t.origin_type = 'chk_instance'
        join {master_checklist} m on m.id = i.mstr_chk_id cross join span
        where m.kpi_id = span.kpi and t.active and t.assignee_id = any(span.people) and t.due_on between span.first and span.last
        and (t.outcome in ('on_time', 'late', 'missed')
          or t.outcome is null and t.held is not true and t.due_on + coalesce(t.grace_days, 0) < (now() at time zone span.zone)::date)) x group by 1`,
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
