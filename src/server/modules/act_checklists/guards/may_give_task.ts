import type { Guard } from '../../../engine/modules.ts';

/** People add tasks for themselves; an ad hoc task for somebody else needs the action CREATE_CHK (§2.7). */
export const mayGiveTask: Guard = {
  check({ unit: { session }, record }) {
    const others = [record.assignee_id, ...((record.candidate_ids as number[] | null) ?? [])];
    const isOwn = others.every((one) => one === session.employeeId);
    if (record.origin !== 'adhoc' || isOwn || session.rights.refuseAction('CREATE_CHK') === null)
      return Promise.resolve([]);
    return Promise.resolve([
      {
        field: 'assignee_id',
        message: 'Your role allows tasks for yourself only. Choose yourself as the doer, or ask your manager.',
      },
    ]);
  },
};
