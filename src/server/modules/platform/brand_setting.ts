import { defineHooks } from '../../engine/records/hooks.ts';
import { lookErrors } from '../../platform/brand/brand_checks.ts';

/** A client's own brand: the same limits as for the platform's. */
export default defineHooks({
  check: (session, record, _stored, _screens, { files }) => lookErrors(session, record, files),
});
