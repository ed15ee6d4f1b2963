import pg from 'pg';
import type { PoolClient } from 'pg';
import { AppError } from '../errors.ts';
import type { Database, Queryable, Statement } from './database.ts';

/** Prepared statements a connection keeps (81 kB each): further texts run unnamed. */
const namesPerConnection = 500;
/** Names remembered to tell a statement that comes again from one that came once. */
const rememberedNames = 5_000;

export interface PoolOptions {
  name: string;
  url: string;
  /** Connections; about four a core. */
  size?: number;
  /** Is told of connections lost while idle. */
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

/** How values arrive: bigint as number, numeric as text, dates and times as ISO text. */
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

const lost = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03', '53300']);

/** True for errors that mean "no database", not "bad statement". */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined) return lost.has(code) || code.startsWith('08');
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(error.message);
}

/** What a caller sees of a failed statement: 503 when the database is away, else the error itself. */
function translated(error: unknown): unknown {
  if (!isConnectionLoss(error)) return error;
  const away = new AppError(503, 'unavailable', 'The database is not available at the moment. Please try again.');
  away.cause = error;
  return away;
}

/** Opens a pool on one PostgreSQL database. Connections are made when first needed. */
export function openPool(options: PoolOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size ?? 10,
    // A connection's catalogue cache grows with every tenant it serves: renew it now and then.
    maxUses: 50_000,
    maxLifetimeSeconds: 1_800,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    types: typeParsers,
    application_name: 'mainstay',
    // No schema is looked into by itself: a statement that forgets to name one fails, and never reads another's table.
    options: '-c search_path=pg_catalog -c timezone=UTC -c datestyle=ISO,YMD -c intervalstyle=iso_8601 -c idle_in_transaction_session_timeout=120000',
  });
  pool.on('error', (error) => options.onError?.(error));
  // A client that is checked out has no listener of the pool's: without one, a lost connection would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = new WeakMap<PoolClient, Set<string>>();
  const seen = new Map<string, true>();

  /** A name is prepared from its second use on, and only while the connection has room for it. */
  function nameFor(client: PoolClient, name: string): string | undefined {
    let names = prepared.get(client);
    if (!names) prepared.set(client, (names = new Set()));
    if (names.has(name)) return name;
    const again = seen.delete(name);
    seen.set(name, true);
    if (seen.size > rememberedNames) for (const oldest of seen.keys()) { seen.delete(oldest); break; }
    if (!again || names.size >= namesPerConnection) return undefined;
    names.add(name);
    return name;
  }

  async function run<T>(client: PoolClient, statement: Statement | string, values: unknown[] | undefined, retry: boolean): Promise<T[]> {
    const text = typeof statement === 'string' ? statement : statement.text;
    const bound = typeof statement === 'string' ? values : statement.values;
    const wanted = typeof statement === 'string' ? undefined : statement.name;
    const name = wanted === undefined ? undefined : nameFor(client, wanted);
    try {
      return (await client.query<T & pg.QueryResultRow>({ text, ...(bound && { values: bound }), ...(name && { name }) })).rows;
    } catch (error) {
      // A column changed its type under a prepared statement: refused before it ran, so running it unnamed is safe.
      if (retry && name !== undefined && (error as { code?: string }).code === '0A000' && /cached plan/.test((error as Error).message))
        return (await client.query<T & pg.QueryResultRow>(text, bound)).rows;
      throw error;
    }
  }

  return {
    name: options.name,
    url: options.url,
    pool,
    async query<T>(statement: Statement | string, values?: unknown[]): Promise<T[]> {
      let client: PoolClient | undefined;
      let broken = false;
      try {
        client = await pool.connect();
        return await run<T>(client, statement, values, true);
      } catch (error) {
        broken = isConnectionLoss(error);
        throw translated(error);
      } finally {
        client?.release(broken);
      }
    },
    async transaction<T>(work: (tx: Queryable & { client: PoolClient }) => Promise<T>): Promise<T> {
      let client: PoolClient | undefined;
      let broken = false;
      try {
        client = await pool.connect();
        const held = client;
        await held.query('begin');
        const result = await work({
          client: held,
          query: <R>(statement: Statement | string, values?: unknown[]) => run<R>(held, statement, values, false),
        });
        await held.query('commit');
        return result;
      } catch (error) {
        broken = isConnectionLoss(error);
        if (client && !broken) await client.query('rollback').catch(() => (broken = true));
        throw translated(error);
      } finally {
        client?.release(broken);
      }
    },
    close: () => pool.end(),
  };
}
