import pg from 'pg';
import { literal, quoted } from '../../db/names.ts';
import { typeParsers } from '../../db/pool.ts';
import { readingFrom } from './one_select.ts';
import { numbered, SLICE } from './row_slices.ts';
import { addressOf } from './source_address.ts';
import type { Asked, From, OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';
import { cursorColumn, PORTS, secondsOf } from './source_kind.ts';
import {
  CONNECT_MS,
  NOT_ENCRYPTED,
  READ_ONLY,
  TOO_SLOW,
  WRONG_PASSWORD,
  noAnswer,
  signingIn,
} from './source_messages.ts';

/** PostgreSQL. */
export const postgresSource: SourceKind = {
  open: (deps, _tenant, source, asked) => open(deps, source, asked),
  contents: tables,
  explain({ code, message }, source) {
    if (code === '57014') return TOO_SLOW;
    if (code === '25006') return READ_ONLY;
    if (code === '28P01' || code === '28000') return WRONG_PASSWORD;
    if (code === '3D000') return `There is no database "${source.database_name ?? ''}" on the server.`;
    if (/does not support SSL/i.test(message)) return NOT_ENCRYPTED;
    return /timeout expired|timeout exceeded/i.test(message) ? noAnswer(source) : null;
  },
};

async function connect(deps: SourceDeps, source: SourceRow): Promise<pg.Client> {
  const address = await addressOf(source, deps);
  const dial = async (ssl: boolean): Promise<pg.Client> => {
    const client = new pg.Client({
      host: address,
      port: source.port ?? PORTS.postgres,
      database: source.database_name ?? '',
      user: source.username ?? '',
      password: source.password ?? '',
      // Encrypted without verifying the certificate: servers inside companies use self-signed ones.
      ssl: ssl ? { rejectUnauthorized: false, servername: source.host ?? '' } : false,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: secondsOf(source) * 1000,
      types: typeParsers,
      application_name: 'mainstay import',
      // Texts follow the lexical rules that `notOneSelect` assumes.
      options:
        '-c default_transaction_read_only=on -c standard_conforming_strings=on -c timezone=UTC -c datestyle=ISO,YMD',
    });
    // Without a listener a lost connection would end the process; the next reader gets the error.
    client.on('error', () => undefined);
    await signingIn(() => client.connect());
    return client;
  };
  try {
    return await dial(source.ssl !== 'off');
  } catch (error) {
    if (source.ssl === 'prefer' && /does not support SSL/i.test((error as Error).message)) return dial(false);
    throw error;
  }
}

async function tables(deps: SourceDeps, source: SourceRow): Promise<string[]> {
  const client = await connect(deps, source);
  try {
    const { rows } = await client.query<{ name: string }>(
      `select case when table_schema = 'public' then table_name else table_schema || '.' || table_name end as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') order by 1 limit 200`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function open(deps: SourceDeps, source: SourceRow, { query, from }: Asked): Promise<OpenSource> {
  const client = await connect(deps, source);
  // The user's query is sent as one prepared statement, so that there can be no second one.
  const ask = (text: string) => {
    const statement: pg.QueryConfig & { queryMode: 'extended' } = { text, queryMode: 'extended' };
    return client.query(statement);
  };
  const reading = (rest: string) => readingFrom(query ?? '', 'postgres', '*', rest);
  try {
    await client.query('begin read only');
    const head = await ask(reading(' limit 0'));
    const types = await client.query<{ oid: number; name: string }>(
      'select oid::int as oid, format_type(oid, null) as name from pg_type where oid = any($1)',
      [head.fields.map(({ dataTypeID }) => dataTypeID)],
    );
    const names = new Map(types.rows.map(({ oid, name }) => [oid, name]));
    const columns = head.fields.map(({ name, dataTypeID }) => ({
      name,
      type: names.get(dataTypeID) ?? String(dataTypeID),
    }));
    const column = cursorColumn(columns, from);
    const since =
      column && from!.value !== null ? ` where ${quoted(column.name)} >= ${beginning(from!, column.type)}` : '';
    await ask(
      `declare source_rows no scroll cursor for ${reading(`${since}${column ? ` order by ${quoted(column.name)}` : ''}`)}`,
    );
    return {
      columns,
      sifted: true,
      rows: () => numbered(fetched(client)),
      close: () => client.end().catch(() => undefined),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function* fetched(client: pg.Client): AsyncGenerator<Record<string, unknown>[]> {
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${SLICE} from source_rows`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Slightly before the last value read: rows stamped during the last run are read again. */
function beginning({ value, overlapMinutes }: From, type: string): string {
  const text = `${literal(value!)}::${type}`;
  return /^(timestamp|date|time)/.test(type) ? `(${text} - interval '${Math.trunc(overlapMinutes)} minutes')` : text;
}
