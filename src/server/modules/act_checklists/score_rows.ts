import type { Unit } from '../../engine/records/unit.ts';

/** The scores of a month by every level, from the tasks themselves: never an average of averages (§5.2). */
const SCORES = `
  with tasks as (
    select t.*, coalesce(t.department_id, d.department_id) as of_department, i.mstr_chk_id, coalesce(i.board_designation_id, f.board_designation_id) as board_designation_id, coalesce(t.outcome, case when t.held is not true and t.due_on + coalesce(t.grace_days, 0) < $3::date then 'open_overdue' end) as kind,
      t.weight * case t.criticality when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0.5 end as effective
    from {chk_task_instance} t left join {chk_instance} i on i.id = t.origin_id and t.origin_type = 'chk_instance'
    left join {employee} d on d.id = t.assignee_id
    left join {filing} f on f.id = t.origin_id and t.origin_type = 'filing'
    where t.entity_id = $1 and t.active and t.due_on >= ($2 || '-01')::date and t.due_on < ($2 || '-01')::date + interval '1 month'
  ), parts as (
    select l.level, l.ref_id, l.name, k.* from tasks k cross join lateral (values
      ('entity', k.entity_id, (select name from {entity} where id = k.entity_id)),
      ('branch', k.branch_id, (select name from {branch} where id = k.branch_id)),
      ('department', k.of_department, (select name from {department} where id = k.of_department)),
      ('employee', k.assignee_id, (select name from {employee} where id = k.assignee_id)),
      ('checklist', k.mstr_chk_id, k.origin_name),
      ('category', 0, k.category),
      ('designation', k.board_designation_id, (select name from {board_designation} where id = k.board_designation_id))
    ) l(level, ref_id, name) where l.ref_id is not null and k.kind in ('on_time', 'late', 'missed', 'open_overdue')
  )
  insert into {chk_score_snapshot} (entity_id, created_by, updated_by, month, level, ref_id, name, tasks_counted, on_time, late, missed, open_overdue, weight_sum, score, frozen, revision_no)
  select $1, $4, $4, $2, level, ref_id, min(name), count(*), count(*) filter (where kind = 'on_time'), count(*) filter (where kind = 'late'), count(*) filter (where kind = 'missed'),
    count(*) filter (where kind = 'open_overdue'), round(sum(effective), 2),
    round(sum(effective * case when kind in ('on_time', 'late') then coalesce(score, 0) else 0 end) / sum(effective), 2), $5, $6
  from parts group by level, ref_id, case when level = 'category' then name end`;

/**
 * Writes the scores of a month in place of those that are there; frozen ones are replaced only by freezing anew.
 * @param day open tasks whose last day is before it have no points
 */
export async function writeScores(
  unit: Unit,
  month: string,
  day: string,
  { frozen, revision }: { frozen: boolean; revision: number },
): Promise<void> {
  const { entityId, userId } = unit.session;
  await unit.query(
    `delete from {chk_score_snapshot} where entity_id = $1 and month = $2 ${frozen ? '' : 'and not frozen'}`,
    [entityId, month],
  );
  const [kept] = await unit.query('select 1 from {chk_score_snapshot} where entity_id = $1 and month = $2 limit 1', [
    entityId,
    month,
  ]);
  if (!kept) await unit.query(SCORES, [entityId, month, day, userId, frozen, revision]);
}
