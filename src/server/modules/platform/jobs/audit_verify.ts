import type { Job } from '../../../engine/modules.ts';
import { brokenAuditEntry } from '../../../platform/upkeep/audit_chain.ts';

/** Checks the chain of the activity log. */
export const auditVerify: Job = {
  concernsPlatform: true,
  async run({ actor: { tenant } }) {
    const broken = await brokenAuditEntry(tenant);
    if (broken !== null) throw new Error(`Entry ${broken} of the audit log does not follow from the one before it.`);
    return 'The chain is unbroken.';
  },
};
