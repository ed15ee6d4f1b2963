import type { Guard } from '../../../engine/modules.ts';
import { documentsUsing, usedBy } from '../months_in_use.ts';

/** A closed sheet is reopened under the same condition as its months: no appraisal and no incentive has used them. */
export const sheetMayReopen: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const used = await documentsUsing(person.elevated(), {
      from: String(record.valid_from).slice(0, 7),
      to: String(record.valid_to).slice(0, 7),
      employee: typeof record.employee_id === 'number' ? record.employee_id : null,
    });
    return used.length === 0 ? [] : [{ field: 'status', message: usedBy(used) }];
  },
};
