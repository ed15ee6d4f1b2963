import type { Effect } from '../../../engine/modules.ts';

/**
 * A task shared by several people becomes that of the person who starts or submits it first; the others still see it.
 * Deputies act on behalf of the doer, who remains responsible.
 */
export const takeTask: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const { employeeId } = unit.session;
    const others = (record.candidate_ids as number[] | null) ?? [];
    if (employeeId === null || others.length === 0) return;
    const all = [Number(record.assignee_id), ...others];
    const first = all.includes(employeeId) ? employeeId : Number(record.assignee_id);
    const shared = { candidate_ids: null, released_ids: all.filter((one) => one !== first) };
    if (first === record.assignee_id) {
      await unit.elevated().update('chk_task_instance', record.id, shared);
      return;
    }
    // Nobody approves their own work: it goes to their superior, or to the owner.
    const [above] = await unit.query<{ id: number | null }>(
      'select reporting_to_id as id from {employee} where id = $1',
      [employeeId],
    );
    const approver =
      record.approver_id === employeeId ? (above?.id ?? (record.owner_id as number | null)) : record.approver_id;
    await unit.elevated().update('chk_task_instance', record.id, {
      ...shared,
      assignee_id: employeeId,
      approver_id: approver === employeeId ? null : approver,
    });
  },
};
