import { DateTime } from 'luxon';
import { defineHooks } from '../../records/hooks.ts';
import { clientSettings } from '../../sessions/client_settings.ts';

export default defineHooks({
  /** How long somebody may stand in for another is a setting of the client. */
  async check({ tenant, entityId }, { from_date: from, to_date: to }) {
    if (typeof from !== 'string' || typeof to !== 'string') return [];
    const { delegation_max_days: most } = await clientSettings(tenant, entityId);
    const days = DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days;
    return days <= most ? [] : [{ field: 'to_date', message: `A delegation may last ${most} days at most. Choose an earlier last day.` }];
  },
});
