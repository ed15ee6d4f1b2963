import type { Guard } from '../../../engine/modules.ts';
import { missingConsent } from '../consent.ts';

/** A director's appointment is approved only with the person's consent. */
export const consentGiven: Guard = {
  elevated: true,
  check: ({ unit, record }) => missingConsent(unit.session.tenant, record),
};
