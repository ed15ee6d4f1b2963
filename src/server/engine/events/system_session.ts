import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';

/** The product itself, for a company or for all: what follows from an act by itself. The history names who had done that. */
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
