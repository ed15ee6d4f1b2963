import { defineHooks } from '../../engine/records/hooks.ts';

/** Job history: recorded rows do not change; the fields are entered once. */
export default defineHooks({
  check(_session, _record, stored) {
    return stored === null
      ? []
      : [{ field: '', message: 'Entries of the job history cannot be changed. Add a new one that corrects this one.' }];
  },
  leave(_session, _stored, how) {
    return how === 'activate' ? null : 'Entries of the job history stay. Add a new one that corrects this one.';
  },
});
