import { createHash } from 'node:crypto';
import type { Screen } from '../../../descriptor/types.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { ScreenStore } from './screen_store.ts';
import type { TenantScreens } from './tenant_screens.ts';

/**
 * A short hash that changes whenever a user's screens, rights or known problems change. It is sent with the menu and at
 * the start of every stream, so a browser detects changes that happened after its menu was fetched and before its
 * stream was open. It is the same in every process.
 */
export type ScreenState = (session: LiveSession) => string;

export function createScreenState(store: ScreenStore, tenantScreens: TenantScreens): ScreenState {
  const contents = new WeakMap<object, string>();
  const contentOf = <T extends object>(made: T, text: (made: T) => string): string => {
    let content = contents.get(made);
    if (content === undefined)
      contents.set(made, (content = createHash('sha256').update(text(made)).digest('base64url').slice(0, 16)));
    return content;
  };
  const ofScreens = (screens: Map<string, Screen>) =>
    JSON.stringify([...screens.values()].map(({ name, hash }) => [name, hash]));
  return (session) => {
    const { rights } = session;
    const parts = [
      contentOf(tenantScreens.of(session), ofScreens),
      contentOf(store.reports(), (reports) => JSON.stringify([...reports])),
      contentOf(store.dashboards(), (dashboards) => JSON.stringify([...dashboards])),
      rights.version,
    ];
    return [...parts, ...(rights.isAdmin ? [store.problems().length] : [])].join('.');
  };
}
