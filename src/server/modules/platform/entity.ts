import { gstinErrors } from '../../organisation/gstin_errors.ts';
import { defineHooks } from '../../records/hooks.ts';

/** Companies: their registrations fit each other. */
export default defineHooks({
  check: (session, record) => gstinErrors(session, record, typeof record.pan === 'string' ? record.pan : null),
});
