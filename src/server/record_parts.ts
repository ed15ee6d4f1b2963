import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Directory } from './db/directory.ts';
import type { LiveHub } from './live/hub.ts';
import type { ScreenStore } from './live/screen_store.ts';
import type { SessionServices } from './sessions/services.ts';

export interface RecordPartDeps {
  config: Config;
  services: SessionServices;
  store: ScreenStore;
  hub: LiveHub;
  directory: Directory;
  version: string;
}

/** The generic engine with its calls. */
export async function recordParts(_server: FastifyInstance, _deps: RecordPartDeps): Promise<void> {}
