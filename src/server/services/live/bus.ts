import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BusMessage } from '../../db/announce.ts';
import { CHANNEL, announce } from '../../db/announce.ts';
import type { Database, Queryable } from '../../db/database.ts';

/** How long cached data is valid without proof that announcements are arriving. */
const FRESH_MS = 5_000;
/** Cached data is reloaded after this time in any case, because some of it expires by time. */
const VOUCHED_MS = 30_000;
const BEAT_MS = 1_000;

export interface Bus {
  /** This process, so that it does not hear itself twice. */
  readonly id: string;
  /** Listens on a database, once. */
  join(database: Database): Promise<void>;
  /** Publishes to every process, including this one; inside a transaction: on commit. */
  publish(on: Queryable, message: BusMessage): Promise<void>;
  on(listener: (message: BusMessage) => void): () => void;
  /**
   * Whether data read from a database at `at` (of `performance.now()`) may still be used by subscribers to its changes:
   * it was read a moment ago, or announcements are known to have arrived up to a moment ago. Never while the connection
   * is known to be lost.
   */
  isFresh(database: Pick<Database, 'name'>, at: number): boolean;
  /** Called when a lost connection is back: messages in between are unknown. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

const buses = new WeakMap<Database, Bus>();

/** The bus for changes in a database, by the owner's connections of one application; undefined = none. */
export function busOf(owner: Database): Bus | undefined {
  return buses.get(owner);
}

interface Joined {
  client: pg.Client | null;
  ready: Promise<void>;
  /** When the last heartbeat that came back was sent: all earlier announcements have been received. */
  heard: number;
  /** When the state was last queried. */
  asked: number;
  /** One is on its way. */
  beating: boolean;
  /** Its connection is known to be lost. */
  lost: boolean;
}

interface Log {
  warn(fields: object, message: string): void;
}

/** For commands beside a running server: makes every process reload its descriptors. */
export async function announceScreens(main: Queryable): Promise<void> {
  await announce(main, { kind: 'screens', names: [] });
}

/** LISTEN and NOTIFY on one connection per database, renewed when it breaks. */
export function createBus(log: Log): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  const gapListeners = new Set<() => void>();
  const joined = new Map<string, Joined>();
  const id = randomUUID();
  const beats = `${CHANNEL}_${id.slice(0, 8)}`;
  let closed = false;

  // A heartbeat comes back after all earlier announcements; without queries none is sent.
  const beating = setInterval(() => {
    const now = performance.now();
    for (const entry of joined.values()) {
      if (!entry.client || entry.beating || now - entry.asked > FRESH_MS) continue;
      entry.beating = true;
      const done = () => {
        entry.beating = false;
      };
      entry.client.query(`notify ${beats}, '${now}'`).then(done, done);
    }
  }, BEAT_MS).unref();

  function hear(payload: string | undefined): void {
    let message: BusMessage;
    try {
      message = JSON.parse(payload ?? '') as BusMessage;
    } catch {
      return;
    }
    for (const listener of listeners) listener(message);
  }

  async function connect(database: Database, entry: Joined): Promise<void> {
    const client = new pg.Client({
      connectionString: database.url,
      application_name: 'mainstay listener',
      keepAlive: true,
    });
    let ended = false;
    const lost = () => {
      if (ended) return;
      ended = true;
      entry.client = null;
      entry.lost = true;
      if (!closed) void reconnect(database, entry);
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload }) => {
      if (channel === beats) entry.heard = Number(payload);
      else hear(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}; listen ${beats}`);
    } catch (error) {
      // `lost` must not start a second attempt in parallel to the caller's.
      ended = true;
      await client.end().catch(() => undefined);
      throw error;
    }
    entry.client = client;
    entry.lost = false;
    if (closed) await client.end();
  }

  async function reconnect(database: Database, entry: Joined): Promise<void> {
    log.warn({ database: database.name }, 'The connection for announcements was lost; connecting again.');
    for (let wait = 200; !closed; wait = Math.min(wait * 2, 5_000)) {
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      try {
        await connect(database, entry);
        for (const listener of gapListeners) listener();
        return;
      } catch {
        // Retried after the next pause.
      }
    }
  }

  const bus: Bus = {
    id,
    async join(database) {
      buses.set(database.owner, bus);
      let entry = joined.get(database.name);
      if (entry === undefined) {
        const made: Joined = {
          client: null,
          ready: Promise.resolve(),
          heard: -Infinity,
          asked: -Infinity,
          beating: false,
          lost: false,
        };
        made.ready = connect(database, made);
        joined.set(database.name, made);
        made.ready.catch(() => joined.delete(database.name));
        entry = made;
      }
      await entry.ready;
    },
    isFresh(database, at) {
      const now = performance.now();
      const entry = joined.get(database.name);
      if (entry) entry.asked = now;
      // Nothing is received at present, and this is known: everything is reloaded until the connection is back.
      if (entry?.lost) return false;
      if (now - at < FRESH_MS) return true;
      return entry !== undefined && now - at < VOUCHED_MS && now - entry.heard < FRESH_MS;
    },
    publish: announce,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    async close() {
      closed = true;
      clearInterval(beating);
      await Promise.all([...joined.values()].map(async ({ client }) => client?.end().catch(() => undefined)));
    },
  };
  return bus;
}
