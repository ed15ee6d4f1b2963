import { defineHooks } from '../../engine/records/hooks.ts';

/** Without these modules an administrator of a client could not correct anything. */
const NEEDED: ReadonlySet<unknown> = new Set(['SETTINGS', 'USERS']);

/** Modules: shipped ones keep their code, and may be disabled unless clients cannot work without them. */
export default defineHooks({
  check: (_session, record, stored) =>
    stored?.shipped_name && record.module_code !== stored.module_code
      ? [{ field: 'module_code', message: 'This code is shipped with the product and cannot be changed.' }]
      : [],
  leave(_session, stored, how) {
    if (how === 'delete' && stored.shipped_name)
      return 'What is shipped with the product can be deactivated but not deleted.';
    return how !== 'activate' && NEEDED.has(stored.module_code)
      ? `${String(stored.module_name)} cannot be deactivated: clients manage their roles and users there.`
      : null;
  },
});
