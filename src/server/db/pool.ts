import type { Writable } from 'node:stream';
import pg from 'pg';
import type { PoolClient } from 'pg';
import { AppError } from './errors.ts';
import { clientRole, forgetClientRole } from './client_roles.ts';
import type { ClientRole } from './client_roles.ts';
import { Connections } from './connections.ts';
import type { Database, Queryable, Statement } from './database.ts';
import { quoted } from './names.ts';
import { SharedTransactions } from './shared_transactions.ts';

/** The maximum number of prepared statements per connection (81 kB each): further ones run unnamed. */
const namesPerConnection = 500;
/** Names remembered to distinguish a repeated statement from a single one. */
const rememberedNames = 5_000;

export interface PoolOptions {
  name: string;
  url: string;
  /** Connections; about four a core. */
  size?: number;
  /** Called with each new connection: the pid of its server process. */
  onConnect?: (pid: number) => void;
  /** Called with connections lost while idle. */
  onError?: (error: Error) => void;
}

const dateArray = 1182;
const parsers = new Map<number, (text: string) => unknown>([
  [20, Number], // bigint: identities and counts stay far below 2^53
  [1082, String], // date, YYYY-MM-DD
  [1083, withoutSeconds],
  [1114, isoTime],
  [1184, isoTime],
  [1700, String], // numeric: money never becomes a float
]);
const arrays = new Map<number, (text: string) => unknown>([
  [1016, Number],
  [1231, String],
  [dateArray, String],
  [1185, isoTime],
]);

/** "2025-06-10 03:45:00.5+00" → "2025-06-10T03:45:00.5Z"; sessions run in UTC. */
function isoTime(text: string): string {
  return text.replace(' ', 'T').replace(/\+00$/, 'Z');
}

function withoutSeconds(text: string): string {
  return text.endsWith(':00') && text.length === 8 ? text.slice(0, 5) : text;
}

const textArray = 1009 as number as (typeof pg.types.builtins)['TEXT'];
const parseTextArray = pg.types.getTypeParser(textArray) as (text: string) => (string | null)[];

/** How values are returned: bigint as number, numeric as text, dates and times as ISO text. */
export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    const one = parsers.get(oid);
    if (one) return one;
    const each = arrays.get(oid);
    if (each) return (text: string) => parseTextArray(text).map((item) => (item === null ? null : each(item)));
    return pg.types.getTypeParser(oid, 'text');
  },
} as pg.CustomTypesConfig;

/** Connections for statements during another transaction. */
const ASIDE = 2;

/** How long a statement that waits for a lock may hold up those that share its transaction. */
const LOCK_MS = 100;

const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** The connection ended while idle or in use: a restart of the database ends all of them. */
const ended = new Set(['ECONNRESET', 'EPIPE', '57P01', '57P02']);

/** Whether a statement may be retried on another connection: it is read-only, and its connection was lost. */
function mayRunAgain(statement: Statement | string, error: unknown): boolean {
  const text = typeof statement === 'string' ? statement : statement.text;
  const { code, message } = error as { code?: string; message?: string };
  return (
    /^\s*select\b/i.test(text) &&
    (code === undefined ? message?.startsWith('Connection terminated') === true : ended.has(code))
  );
}

/** True for errors that mean "no database", not "bad statement". */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined) return lost.has(code) || code.startsWith('08');
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(
    error.message,
  );
}

/** True for errors that say: this role has no rights here, or is not there. */
function roleIsAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '42501' || (code === '22023' && message?.startsWith('role "') === true);
}

/** The error for a caller: 503 if the database is unavailable, otherwise the original error. */
function translated(error: unknown): unknown {
  if (!isConnectionLoss(error)) return error;
  const away = new AppError(503, 'unavailable', 'The database is not available at the moment. Please try again.');
  away.cause = error;
  return away;
}

/** Opens a pool on one PostgreSQL database. Connections are created on demand. */
export function openPool(options: PoolOptions): Database {
  const connections = new Connections(
    {
      connectionString: options.url,
      // A connection's catalogue cache grows with every tenant it serves, so it is renewed from time to time.
      maxUses: 50_000,
      maxLifetimeSeconds: 1_800,
      idleTimeoutMillis: 60_000,
      types: typeParsers,
      // SET ROLE and the statement are sent together.
      pipeline: true,
      application_name: 'mainstay',
      // An empty search path: a statement without a schema fails, and never reads another's table.
      options:
        '-c search_path=pg_catalog -c timezone=UTC -c datestyle=ISO,YMD -c intervalstyle=iso_8601 -c idle_in_transaction_session_timeout=120000',
    },
    options.size ?? 10,
    { failed: (error) => options.onError?.(error), made: (pid) => options.onConnect?.(pid) },
  );
  const prepared = new WeakMap<PoolClient, Set<string>>();
  const seen = new Map<string, true>();

  /** A statement is prepared from its second use on, and only while the connection has room for it. */
  function nameFor(client: PoolClient, name: string): string | undefined {
    let names = prepared.get(client);
    if (!names) prepared.set(client, (names = new Set()));
    if (names.has(name)) return name;
    const again = seen.delete(name);
    seen.set(name, true);
    if (seen.size > rememberedNames)
      for (const oldest of seen.keys()) {
        seen.delete(oldest);
        break;
      }
    if (!again || names.size >= namesPerConnection) return undefined;
    names.add(name);
    return name;
  }

  async function run<T>(
    client: PoolClient,
    statement: Statement | string,
    values: unknown[] | undefined,
    retry: boolean,
  ): Promise<T[]> {
    const text = typeof statement === 'string' ? statement : statement.text;
    const bound = typeof statement === 'string' ? values : statement.values;
    const wanted = typeof statement === 'string' ? undefined : statement.name;
    const name = wanted === undefined ? undefined : nameFor(client, wanted);
    try {
      return (
        await client.query<T & pg.QueryResultRow>({ text, ...(bound && { values: bound }), ...(name && { name }) })
      ).rows;
    } catch (error) {
      // A column changed its type after the statement was prepared: refused before it ran, so running it unnamed is
      // safe.
      if (
        retry &&
        name !== undefined &&
        (error as { code?: string }).code === '0A000' &&
        /cached plan/.test((error as Error).message)
      )
        return (await client.query<T & pg.QueryResultRow>(text, bound)).rows;
      throw error;
    }
  }

  /** The current client role of each connection. */
  const taken = new WeakMap<PoolClient, ClientRole>();
  /** It kept the previous role, whichever that was. */
  const unknown: ClientRole = { name: '' };

  /**
   * A connection that has the role, or is switching to it: `settled` tells whether that succeeded. Statements sent
   * meanwhile follow in the same round trip. (If it fails, they run with the previous role: another client's, which is
   * refused; or the owner's, which statements cannot detect.)
   */
  async function connectAs(
    schema: string | null,
    role: ClientRole | null,
  ): Promise<{ client: PoolClient; settled: Promise<void> | null }> {
    const client = await connections.take(schema ?? '');
    if ((taken.get(client) ?? null) === role) return { client, settled: null };
    if (role === null) taken.delete(client);
    else taken.set(client, role);
    const settled = client.query(role === null ? 'reset role' : `set role ${quoted(role.name)}`).then(
      () => undefined,
      (error: unknown) => {
        taken.set(client, unknown);
        if (schema !== null) forgetClientRole(owner, schema);
        throw error;
      },
    );
    // Whoever waits for it hears of it.
    settled.catch(() => undefined);
    return { client, settled };
  }

  /** The database as its owner (null), or with the rights of one client. */
  function face(schema: string | null): Database {
    const take = (): ReturnType<typeof connectAs> => {
      if (schema === null) return connectAs(null, null);
      const role = clientRole(owner, schema);
      return role instanceof Promise ? role.then((made) => connectAs(schema, made)) : connectAs(schema, role);
    };
    /** BEGIN, all statements and COMMIT are sent together. @throws if the outcome is unknown */
    async function together(statements: readonly Statement[]): Promise<{ rows: unknown[][] } | { undone: true }> {
      let held: Awaited<ReturnType<typeof connectAs>> | undefined;
      let broken = false;
      try {
        held = await take();
        const { client } = held;
        const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
        stream.cork();
        const sent = [
          client.query(`begin; set local lock_timeout = ${LOCK_MS}`).then(() => []),
          ...statements.map((statement) => run<unknown>(client, statement, undefined, false)),
          client.query('commit').then(() => []),
        ];
        stream.uncork();
        const settled = await Promise.allSettled(sent);
        const failed = settled.filter((one) => one.status === 'rejected');
        if (failed.length === 0)
          return { rows: settled.slice(1, -1).map((one) => (one as PromiseFulfilledResult<unknown[]>).value) };
        broken = failed.some(({ reason }) => isConnectionLoss(reason));
        // Without BEGIN each was executed separately.
        if (broken || settled[0]!.status === 'rejected') throw translated(failed[0]!.reason);
        return { undone: true };
      } finally {
        held?.client.release(broken);
      }
    }

    async function once<T>(statement: Statement | string, values: unknown[] | undefined): Promise<T[]> {
      let held: Awaited<ReturnType<typeof connectAs>> | undefined;
      let broken = false;
      try {
        held = await take();
        return await run<T>(held.client, statement, values, true);
      } catch (error) {
        broken = isConnectionLoss(error);
        throw error;
      } finally {
        held?.client.release(broken);
      }
    }

    async function alone<T>(statement: Statement | string, values?: unknown[]): Promise<T[]> {
      try {
        return await once<T>(statement, values);
      } catch (error) {
        // The schema was restored, for instance, and the role has no rights on it yet. It was refused, so nothing ran.
        if (schema !== null && roleIsAway(error)) forgetClientRole(owner, schema);
        else if (!mayRunAgain(statement, error)) throw translated(error);
      }
      return once<T>(statement, values).catch((error: unknown) => {
        throw translated(error);
      });
    }

    let shared: SharedTransactions | undefined;
    return {
      name: options.name,
      url: options.url,
      get owner() {
        return owner;
      },
      get aside() {
        besides ??= openPool({ ...options, size: ASIDE });
        return schema === null ? besides : besides.of(schema);
      },
      of: faceOf,
      async connect() {
        const { client, settled } = await take();
        try {
          await settled;
          return client;
        } catch (error) {
          client.release(isConnectionLoss(error));
          throw error;
        }
      },
      query<T>(statement: Statement | string, values?: unknown[]): Promise<T[]> {
        if (typeof statement === 'string' || statement.shares !== true) return alone<T>(statement, values);
        shared ??= new SharedTransactions({ alone, together });
        return shared.run(statement) as Promise<T[]>;
      },
      async transaction<T>(work: (tx: Queryable & { client: PoolClient }) => Promise<T>): Promise<T> {
        let client: PoolClient | undefined;
        let broken = false;
        try {
          const held = await take();
          client = held.client;
          await Promise.all([held.client.query('begin'), held.settled]);
          const result = await work({
            client: held.client,
            query: <R>(statement: Statement | string, values?: unknown[]) =>
              run<R>(held.client, statement, values, false),
          });
          await held.client.query('commit');
          return result;
        } catch (error) {
          broken = isConnectionLoss(error);
          if (client && !broken) await client.query('rollback').catch(() => (broken = true));
          if (schema !== null && roleIsAway(error)) forgetClientRole(owner, schema);
          throw translated(error);
        } finally {
          client?.release(broken);
        }
      },
      load: () => connections.load(),
      async close() {
        await besides?.close();
        await connections.end();
      },
    };
  }

  let besides: Database | undefined;
  const owner = face(null);
  const faces = new Map<string, Database>();
  function faceOf(schema: string): Database {
    let made = faces.get(schema);
    if (!made) faces.set(schema, (made = face(schema)));
    return made;
  }
  return owner;
}
