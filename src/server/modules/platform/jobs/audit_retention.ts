import type { Job } from '../../../engine/modules.ts';
import { removeOldAudit } from '../../../services/audit/audit.ts';
import { clientSettings } from '../../../services/settings/client_settings.ts';

/** Removes old entries from the activity log. */
export const auditRetention: Job = {
  async run({ actor: { tenant } }) {
    const { audit_retention_years: years } = await clientSettings(tenant);
    return `${await removeOldAudit(tenant, years)} entries older than ${years} ${years === 1 ? 'year' : 'years'} removed.`;
  },
};
