import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database, Queryable } from '../db/database.ts';

/** What the processes of one installation tell each other. `schema` names the tenant. */
export type BusMessage =
  | { kind: 'session'; schema: string; sid: string }
  | { kind: 'rights'; schema: string }
  | { kind: 'client' }
  | { kind: 'screens'; names: string[] }
  /** A client has set how fields of its screens look. */
  | { kind: 'settings'; schema: string }
  /** Something waits to be sent. */
  | { kind: 'outbox'; schema: string }
  /** Something happened that a webhook is told of. */
  | { kind: 'webhook'; schema: string }
  /** These users have something new, or have read something elsewhere. */
  | { kind: 'notification'; schema: string; users: number[] }
  | { kind: 'job' }
  | { kind: 'records'; schema: string; from: string; changes: [type: string, id: number, op: string, entity: number | null][] };

const CHANNEL = 'mainstay';

export interface Bus {
  /** This process, so that it does not hear itself twice. */
  readonly id: string;
  /** Listens on a database, once. */
  join(database: Database): Promise<void>;
  /** Tells every process, this one too; inside a transaction: when it commits. */
  tell(on: Queryable, message: BusMessage): Promise<void>;
  on(listener: (message: BusMessage) => void): () => void;
  /** Called when a connection was lost and is back: what was said in between is not known. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

interface Log {
  warn(fields: object, message: string): void;
}

/** LISTEN and NOTIFY on one connection a database, renewed when it breaks. */
export function createBus(log: Log): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  const gapListeners = new Set<() => void>();
  const joined = new Map<string, { client: pg.Client | null; ready: Promise<void> }>();
  let closed = false;

  function hear(payload: string | undefined): void {
    let message: BusMessage;
    try {
      message = JSON.parse(payload ?? '') as BusMessage;
    } catch {
      return;
    }
    for (const listener of listeners) listener(message);
  }

  async function connect(database: Database, entry: { client: pg.Client | null }): Promise<void> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'mainstay listener', keepAlive: true });
    let ended = false;
    const lost = () => {
      if (ended) return;
      ended = true;
      entry.client = null;
      if (!closed) void reconnect(database, entry);
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', (notice) => hear(notice.payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      // `lost` must not start a second attempt beside the caller's.
      ended = true;
      await client.end().catch(() => undefined);
      throw error;
    }
    entry.client = client;
    if (closed) await client.end();
  }

  async function reconnect(database: Database, entry: { client: pg.Client | null }): Promise<void> {
    log.warn({ database: database.name }, 'The connection for announcements was lost; connecting again.');
    for (let wait = 200; !closed; wait = Math.min(wait * 2, 5_000)) {
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      try {
        await connect(database, entry);
        for (const listener of gapListeners) listener();
        return;
      } catch {
        // Tried again after the next pause.
      }
    }
  }

  return {
    id: randomUUID(),
    async join(database) {
      let entry = joined.get(database.name);
      if (entry === undefined) {
        const made: { client: pg.Client | null; ready: Promise<void> } = { client: null, ready: Promise.resolve() };
        made.ready = connect(database, made);
        joined.set(database.name, made);
        made.ready.catch(() => joined.delete(database.name));
        entry = made;
      }
      await entry.ready;
    },
    async tell(on, message) {
      await on.query({ text: 'select pg_notify($1, $2)', values: [CHANNEL, JSON.stringify(message)], name: 'bus_tell' });
    },
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
      await Promise.all([...joined.values()].map(async ({ client }) => client?.end().catch(() => undefined)));
    },
  };
}
