import type { Screen } from '../../../descriptor/types.ts';
import { announce, announceRights } from '../../db/announce.ts';
import type { Queryable } from '../../db/database.ts';

/** Types whose records decide what a session may do, or which day it has. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['users', 'role', 'entity', 'branch', 'delegation']);
/** The same of the platform's own people. */
const OF_PLATFORM_SESSIONS: ReadonlySet<string> = new Set(['common_user', 'user_type']);
/** The platform's lists that say what there is and where it stands. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['module', 'screen']);
/** Types that say what webhooks ask for; processes remember it beside the settings. */
const OF_WEBHOOKS: ReadonlySet<string> = new Set(['api_config']);

/** Whether sessions are other than before when a record of this type was changed. */
export const decidesSessions = (type: string): boolean => OF_SESSIONS.has(type);

/** Whether webhooks may ask for something else when a record of this type was changed. */
export const decidesWebhooks = (type: string): boolean => OF_WEBHOOKS.has(type);

type Announced = Pick<Screen, 'name' | 'kind' | 'scope' | 'overlay'>;

/** What processes remember of records of this type, by the message that has them read it again; null = nothing. */
function remembered({ name, kind, scope, overlay }: Announced): 'settings' | 'rights' | 'client' | null {
  if (scope === 'platform') return OF_CLIENTS.has(name) ? 'client' : OF_PLATFORM_SESSIONS.has(name) ? 'rights' : null;
  if (kind === 'settings' || overlay !== undefined || OF_WEBHOOKS.has(name)) return 'settings';
  return decidesSessions(name) ? 'rights' : null;
}

/** Whether every process must hear of changes of this type. */
export const isAnnounced = (screen: Announced): boolean => remembered(screen) !== null;

/**
 * Announces a changed record in the transaction that changes it, so that every process hears of it when it commits, also
 * when the one that wrote it ends right then. Types that nobody remembers cost nothing.
 */
export async function announceChange(tx: Queryable, schema: string, screen: Announced): Promise<void> {
  const kind = remembered(screen);
  if (kind === 'rights') await announceRights(tx, schema);
  else if (kind !== null) await announce(tx, kind === 'client' ? { kind } : { kind, schema });
}
