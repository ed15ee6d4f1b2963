import { defineHooks } from '../../engine/records/hooks.ts';
import { companyPan, gstinErrors } from '../../platform/reference/gstin_errors.ts';

/** The GSTIN of a business centre is the company's registration in the state of the centre. */
export default defineHooks({
  check: async (session, record) => gstinErrors(session, record, await companyPan(session)),
});
