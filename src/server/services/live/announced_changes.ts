import type { Screen } from '../../../descriptor/types.ts';
import { announce, announceRights } from '../../db/announce.ts';
import type { Queryable } from '../../db/database.ts';

/** Types whose records affect what a session may do, or its current day. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['users', 'role', 'entity', 'branch', 'delegation']);
/** The same of the platform's own people. */
const OF_PLATFORM_SESSIONS: ReadonlySet<string> = new Set(['common_user', 'user_type']);
/** The platform's lists that define the catalogue and its menu places. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['module', 'screen']);
/** Types with the events of webhooks; processes cache them with the settings. */
const OF_WEBHOOKS: ReadonlySet<string> = new Set(['api_config']);

/** Whether a changed record of this type affects sessions. */
export const decidesSessions = (type: string): boolean => OF_SESSIONS.has(type);

/** Whether a changed record of this type affects the events of webhooks. */
export const decidesWebhooks = (type: string): boolean => OF_WEBHOOKS.has(type);

type Announced = Pick<Screen, 'name' | 'kind' | 'scope' | 'overlay'>;

/** The cached data that depends on records of this type, by the message that invalidates it; null = none. */
function remembered({ name, kind, scope, overlay }: Announced): 'settings' | 'rights' | 'client' | null {
  if (scope === 'platform') return OF_CLIENTS.has(name) ? 'client' : OF_PLATFORM_SESSIONS.has(name) ? 'rights' : null;
  if (kind === 'settings' || overlay !== undefined || OF_WEBHOOKS.has(name)) return 'settings';
  return decidesSessions(name) ? 'rights' : null;
}

/** Whether every process must be notified of changes of this type. */
export const isAnnounced = (screen: Announced): boolean => remembered(screen) !== null;

/**
 * Announces a changed record in the transaction that changes it, so that every process is notified on commit, even if
 * the writing process ends right then. Types that are not cached cost nothing.
 */
export async function announceChange(tx: Queryable, schema: string, screen: Announced): Promise<void> {
  const kind = remembered(screen);
  if (kind === 'rights') await announceRights(tx, schema);
  else if (kind !== null) await announce(tx, kind === 'client' ? { kind } : { kind, schema });
}
