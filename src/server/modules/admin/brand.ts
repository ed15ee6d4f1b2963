import { defineHooks } from '../../engine/records/hooks.ts';
import { lookErrors } from '../../platform/brand/brand_checks.ts';

/** Brands: colours must be readable, and pictures small enough for a sign-in page. */
export default defineHooks({
  check: (session, record, _stored, _screens, { files }) => lookErrors(session, record, files),
});
