import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';

/**
 * A session of the product itself, for a company or for all: for automatic consequences of an action. The history names
 * the person who caused it.
 */
export function systemSession(tenant: Tenant, company: number | null, by: number | null): Session {
  return {
    sid: 'system',
    tenant,
    userId: by ?? 0,
    userName: '',
    employeeId: null,
    entityId: company,
    entityIds: company === null ? [] : [company],
    branchIds: [],
    rights: {
      isAdmin: true,
      version: 0,
      refuse: () => null,
      refuseAction: () => null,
      dataScope: () => (company === null ? 'all_companies' : 'company'),
    },
  };
}
