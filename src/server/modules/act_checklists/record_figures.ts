import type { RecordFigure } from '../../engine/record_figure.ts';

const OWNERS: RecordFigure['of'] = {
  employee: 't.assignee_id',
  department: 't.department_id',
  branch: 't.branch_id',
  entity: 't.entity_id',
};

/** Tasks with one of these outcomes. */
const tasks = (outcomes: readonly string[]): RecordFigure['records'] => ({
  type: 'chk_task_instance',
  by: { employee: 'assignee_id', department: 'department_id', branch: 'branch_id' },
  filter: ['and', ['outcome', 'in', [...outcomes]], ['due_on', 'between', [':first', ':last']]],
});

/** Figures of whoever does the tasks of checklists, and of units, by the days on which these are due. */
export const recordFigures: Record<string, RecordFigure> = {
  chk_ontime_pct: {
    title: 'Checklist tasks done in time, %',
    reads: ['chk_task_instance'],
    records: tasks(['on_time', 'late', 'missed']),
    of: OWNERS,
    sql: `select :owner as owner, round(100.0 * count(*) filter (where t.outcome = 'on_time') / count(*), 4)::text as value
      from {chk_task_instance} t cross join span where t.active and :owner = any(span.owners) and t.outcome in ('on_time', 'late', 'missed')
      and t.due_on between span.first and span.last group by 1`,
  },
  chk_kpi_score: {
    title: 'Score of the checklists of the KPI',
    reads: ['chk_task_instance', 'chk_instance', 'master_checklist'],
    of: OWNERS,
    sql: `select x.owner, round(sum(x.weight * case when x.outcome in ('on_time', 'late') then coalesce(x.score, 0) else 0 end) / sum(x.weight), 4)::text as value
      from (select :owner as owner, t.outcome, t.score,
          t.weight * case t.criticality when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0.5 end as weight
        from {chk_task_instance} t join {chk_instance} i on i.id = t.origin_id and t.origin_type = 'chk_instance'
        join {master_checklist} m on m.id = i.mstr_chk_id cross join span
        where m.kpi_id = span.kpi and t.active and :owner = any(span.owners) and t.due_on between span.first and span.last
        and (t.outcome in ('on_time', 'late', 'missed')
          or t.outcome is null and t.held is not true and t.due_on + coalesce(t.grace_days, 0) < (now() at time zone span.zone)::date)) x group by 1`,
  },
  chk_late: {
    title: 'Checklist tasks late or missed',
    reads: ['chk_task_instance'],
    records: tasks(['late', 'missed']),
    none: '0',
    of: OWNERS,
    sql: `select :owner as owner, count(*)::text as value
      from {chk_task_instance} t cross join span where t.active and :owner = any(span.owners) and t.outcome in ('late', 'missed')
      and t.due_on between span.first and span.last group by 1`,
  },
};
