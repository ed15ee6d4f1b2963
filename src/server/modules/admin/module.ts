import { defineHooks } from '../../records/hooks.ts';

/** Without these an administrator of a client could not set anything right again. */
const NEEDED: ReadonlySet<unknown> = new Set(['SETTINGS', 'USERS']);

export default defineHooks({
  leave(_session, stored, how) {
    return how !== 'activate' && NEEDED.has(stored.module_code) ? `${String(stored.module_name)} cannot be taken out of use: clients look after their roles and users there.` : null;
  },
});
