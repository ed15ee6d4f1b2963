import type { FastifyInstance } from 'fastify';
import type { Tenant } from '../../db/tenant.ts';
import type { Directory } from '../../db/directory.ts';
import { switchCopyOn } from '../../platform/clients/restored_copy.ts';
import type { AuditEntry } from '../../services/audit/audit.ts';
import { authorizeAdmin } from '../../access/rights/authorize.ts';

export interface RestoredCopyDeps {
  directory: Directory;
  audit: (tenant: Tenant, entry: AuditEntry) => void;
}

/** A restored copy of a client starts sending and running jobs when its administrator enables it. */
export async function restoredCopyRoutes(app: FastifyInstance, { directory, audit }: RestoredCopyDeps): Promise<void> {
  app.post('/tapi/restored_copy/switch_on', async ({ session }) => {
    authorizeAdmin(session);
    const { tenant, userId, sid } = session;
    await switchCopyOn(directory, tenant);
    audit(tenant, {
      actor: userId,
      sid,
      action: 'copy_switched_on',
      summary: 'The restored copy sends and runs from now on.',
    });
    return { data: { held: false } };
  });
}
