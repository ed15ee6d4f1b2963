import { namesDown } from '../../access/people/own_people.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** People enter leave for themselves and the members below them; for others, the people who manage the lists. */
export default defineHooks({
  async check({ tenant, rights, employeeId }, { employee_id: member }) {
    if (typeof member !== 'number' || member === employeeId || rights.isAdmin) return [];
    if (rights.refuseAction('CREATE_MASTERS') === null) return [];
    if (employeeId !== null && (await namesDown(tenant, employeeId, member)).length > 0) return [];
    return [{ field: 'employee_id', message: 'You can enter leave for yourself and the members of your team.' }];
  },
});
