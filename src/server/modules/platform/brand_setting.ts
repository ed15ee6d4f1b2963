import { defineHooks } from '../../engine/records/hooks.ts';
import { lookErrors } from '../../platform/brand/brand_checks.ts';

/** A client's own look: within the same bounds as the platform's. */
export default defineHooks({
  check: (session, record, _stored, _screens, { files }) => lookErrors(session, record, files),
});
