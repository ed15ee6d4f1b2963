import type { Guard } from '../../../engine/modules.ts';
import { siteOf, techniciansOf } from '../suggestions.ts';

/** A person taking a ticket must be a qualified technician of the branch. */
export const mayTake: Guard = {
  elevated: true,
  async check({ unit, record }) {
    if (typeof record.technician_id !== 'number')
      return [
        {
          field: '',
          message: 'Only members of staff can take calls. Ask your administrator to link your account to an employee.',
        },
      ];
    const site = await siteOf(unit, record);
    const person = (await techniciansOf(unit, site.branchId === null ? null : [site.branchId])).find(
      ({ id }) => id === record.technician_id,
    );
    if (!person) return [{ field: '', message: 'You are not in a team of this branch today.' }];
    if (site.isRescue ? !person.mayRescue : person.level < site.level)
      return [{ field: '', message: 'This call needs a higher level of expertise.' }];
    return [];
  },
};
