import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { decisionsOf } from '../../../descriptor/workflow.ts';
import { countWaiting } from '../../engine/workflow/waiting.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { mayApproveOwn } from '../../access/rights/own_work.ts';

/** A type of document that a person decides, with the number waiting; 0 counts. */
export interface AuthorizationLevel {
  transaction_type: string;
  records_count: number;
}

/** The decisions waiting for a person in the session's company, including as a deputy (platform.md §3.3). */
export async function authorizationLevels(
  session: Session,
  screens: Map<string, Screen>,
): Promise<AuthorizationLevel[]> {
  const { tenant, rights } = session;
  const decided = [...screens.values()].filter(
    (screen) =>
      decisionsOf(screen).length > 0 &&
      screen.scope !== 'platform' &&
      (screen.scope !== 'entity' || session.entityId !== null) &&
      rights.refuse(screen, 'approval_screen') === null,
  );
  if (decided.length === 0) return [];
  const [there, own] = await Promise.all([existingTables(tenant.db, tenant.schema), mayApproveOwn(session)]);
  return Promise.all(
    decided.map(async (screen) => ({
      transaction_type: screen.name,
      records_count: there.has(screen.name) ? await countWaiting(session, screen, screens, own) : 0,
    })),
  );
}
