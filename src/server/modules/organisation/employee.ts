import { DateTime } from 'luxon';
import { defineHooks } from '../../engine/records/hooks.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

export default defineHooks({
  /** The minimum age at joining is a setting of the client. */
  async check({ tenant, entityId }, { dob, date_of_joining: joined }) {
    if (typeof dob !== 'string' || typeof joined !== 'string') return [];
    const { minimum_age: least } = await clientSettings(tenant, entityId);
    const age = DateTime.fromISO(joined).diff(DateTime.fromISO(dob), 'years').years;
    return age >= least
      ? []
      : [{ field: 'dob', message: `The person must be at least ${least} years old at joining.` }];
  },
});
