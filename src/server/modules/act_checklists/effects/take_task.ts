import type { Effect } from '../../../engine/modules.ts';

/**
 * The person who starts or submits a task shared by several becomes its owner. Deputies act on behalf of the owner, who
 * remains responsible.
 */
export const takeTask: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const { employeeId } = unit.session;
    const others = (record.candidate_ids as number[] | null) ?? [];
    if (employeeId === null || employeeId === record.assignee_id || !others.includes(employeeId)) return;
    // Nobody approves their own work: it goes to their superior, or to the owner.
    const [above] = await unit.query<{ id: number | null }>(
      'select reporting_to_id as id from {employee} where id = $1',
      [employeeId],
    );
    const approver =
      record.approver_id === employeeId ? (above?.id ?? (record.owner_id as number | null)) : record.approver_id;
    await unit.elevated().update('chk_task_instance', record.id, {
      assignee_id: employeeId,
      approver_id: approver === employeeId ? null : approver,
    });
  },
};
