import { defineHooks } from '../../engine/records/hooks.ts';
import { missingConsent } from './consent.ts';

export default defineHooks({
  /** The consent of a director is not removed after the approval; terms from before it was required stay as they are. */
  async check({ tenant }, record, stored) {
    const isApproved = record.state === 'approved' || record.state === 'active';
    if (!isApproved || !stored || stored.consent === null || stored.consent === undefined) return [];
    return missingConsent(tenant, record);
  },
});
