import type { Guard } from '../../../engine/modules.ts';

/** An update whose sheet names who approves it is decided by that person, or by whoever may correct all actuals. */
export const approverDecides: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const { session } = person;
    const { approver_id: approver } = record;
    if (typeof approver !== 'number') return [];
    const people = [session.employeeId, ...(session.actsFor ?? []).map(({ employeeId }) => employeeId)];
    if (people.includes(approver) || session.rights.refuseAction('ADMIN_ACTUAL') === null) return [];
    const [named] = await person
      .elevated()
      .query<{ name: string }>('select name from {employee} where id = $1', [approver]);
    return [{ field: 'approver_id', message: `${named?.name ?? 'Somebody else'} approves this KPI.` }];
  },
};
