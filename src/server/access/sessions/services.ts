import type { Directory } from '../../db/directory.ts';
import type { Vault } from '../../db/vault.ts';
import { createVault } from '../../db/vault.ts';
import type { Bus } from '../../services/live/bus.ts';
import { watchClientSettings } from '../../services/settings/client_settings.ts';
import type { Secrets } from './secrets.ts';
import { readSecrets } from './secrets.ts';
import type { SessionStore } from './session_store.ts';
import { createSessionStore } from './session_store.ts';
import type { Tenants } from './tenants.ts';
import { createTenants } from './tenants.ts';
import type { Claims } from './token.ts';
import { tokenReader } from './token.ts';

/** The server settings that affect sessions. */
export interface SessionConfig {
  baseDomains: string[];
  publicUrl: URL | undefined;
  sessionTransport: 'bearer' | 'cookie';
}

/** The dependencies of session handling, created once per process. */
export interface SessionServices {
  config: SessionConfig;
  directory: Directory;
  bus: Bus;
  secrets: Secrets;
  vault: Vault;
  tenants: Tenants;
  store: SessionStore;
  readToken(token: string): Promise<Claims | null>;
}

export async function createSessionServices(
  config: SessionConfig,
  directory: Directory,
  bus: Bus,
): Promise<SessionServices> {
  await bus.join(directory.main);
  watchClientSettings(bus);
  const secrets = await readSecrets(directory.main);
  const tenants = createTenants(directory, bus, config.baseDomains);
  return {
    config,
    directory,
    bus,
    secrets,
    vault: createVault(secrets.factors),
    tenants,
    store: createSessionStore(bus),
    readToken: tokenReader(() => secrets.token),
  };
}
