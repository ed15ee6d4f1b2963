import { defineHooks } from '../../engine/records/hooks.ts';
import { lookErrors } from '../../platform/brand/brand_checks.ts';

/** Brands: what is shown must be readable, and of a size that a sign-in page can bear. */
export default defineHooks({
  check: (session, record, _stored, _screens, { files }) => lookErrors(session, record, files),
});
