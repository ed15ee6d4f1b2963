import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Tenant } from '../context.ts';
import { literal, quoted } from '../db/names.ts';
import { typeParsers } from '../db/pool.ts';
import { AppError } from '../errors.ts';
import type { FileStore } from '../files/store.ts';
import { readSheet } from '../records/excel/sheet_read.ts';
import type { JsonSource } from './json_source.ts';
import { openJson } from './json_source.ts';
import { asSubquery } from './one_select.ts';
import { checkedAddress } from './source_address.ts';

/** A row of `sync_source`, its password included. */
export interface SourceRow extends JsonSource {
  id: number;
  name: string;
  kind: 'postgres' | 'http_json' | 'upload_file';
  file: number | null;
  sample: string | null;
  host: string | null;
  port: number | null;
  database_name: string | null;
  username: string | null;
  password: string | null;
  ssl: 'require' | 'prefer' | 'off' | null;
}

export interface RawRow {
  /** In the file, or in the order of the query. */
  row: number;
  cells: Record<string, unknown>;
}

/** A source that answers. */
export interface OpenSource {
  /** Columns with the kind of value each holds; of files the kind is not known. */
  columns: { name: string; type: string }[];
  /** There is no row that would say which columns there are. */
  empty?: boolean;
  /** All rows, some at a time. */
  rows(): AsyncIterable<RawRow[]>;
  close(): Promise<void>;
}

/** Where to begin: rows whose column is at least this. */
export interface From {
  column: string;
  value: string | null;
  overlapMinutes: number;
}

export interface SourceDeps {
  files: FileStore;
  /** Files that come with the product. */
  samplesDir: string;
  /** Whether this machine's own addresses may be read from. */
  thisMachine: boolean;
}

const MAX_ROWS = 500_000;
const SLICE = 5_000;
const CONNECT_MS = 10_000;

/** Opens a source for reading alone. @throws AppError 422 with what to correct, 503 when it does not answer */
export function openSource(deps: SourceDeps, tenant: Tenant, source: SourceRow, query: string | null, from: From | null): Promise<OpenSource> {
  if (source.kind === 'http_json') return openJson(source, from, { thisMachine: deps.thisMachine, mostRows: MAX_ROWS });
  return source.kind === 'postgres' ? openDatabase(deps, source, query ?? '', from) : openFile(deps, tenant, source);
}

/** The tables and views that the account may read. */
export async function tablesOf(deps: SourceDeps, source: SourceRow): Promise<string[]> {
  const client = await connect(deps, source);
  try {
    const { rows } = await client.query<{ name: string }>(
      `select case when table_schema = 'public' then table_name else table_schema || '.' || table_name end as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') order by 1 limit 200`);
    return rows.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What a source's own refusal says, without its stack and its secrets. */
export function sourceMessage(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const { code, message } = error as { code?: string; message: string };
  if (code === '57014') return 'The query took longer than the time-out of the source. Narrow it, or raise the time-out.';
  if (code === '25006') return 'The query may only read.';
  return message;
}

async function connect({ thisMachine }: SourceDeps, source: SourceRow): Promise<pg.Client> {
  const host = source.host ?? '';
  const address = await checkedAddress(host, { privateNetwork: source.private_network === true, thisMachine });
  const open = async (ssl: boolean): Promise<pg.Client> => {
    const client = new pg.Client({
      host: address,
      port: source.port ?? 5432,
      database: source.database_name ?? '',
      user: source.username ?? '',
      password: source.password ?? '',
      // Encrypted whoever signed: servers inside companies sign for themselves.
      ssl: ssl ? { rejectUnauthorized: false, servername: host } : false,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: (source.statement_timeout_s ?? 300) * 1000,
      types: typeParsers,
      application_name: 'mainstay import',
      options: '-c default_transaction_read_only=on -c timezone=UTC -c datestyle=ISO,YMD',
    });
    // Without a listener a lost connection would end the process; whoever reads next is told.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  try {
    return await open(source.ssl !== 'off');
  } catch (error) {
    if (source.ssl === 'prefer' && /does not support SSL/i.test((error as Error).message)) return open(false);
    throw error;
  }
}

async function openDatabase(deps: SourceDeps, source: SourceRow, query: string, from: From | null): Promise<OpenSource> {
  const client = await connect(deps, source);
  try {
    await client.query('begin read only');
    const head = await client.query(`select * from ${asSubquery(query)} limit 0`);
    const types = await client.query<{ oid: number; name: string }>('select oid::int as oid, format_type(oid, null) as name from pg_type where oid = any($1)', [head.fields.map(({ dataTypeID }) => dataTypeID)]);
    const names = new Map(types.rows.map(({ oid, name }) => [oid, name]));
    const columns = head.fields.map(({ name, dataTypeID }) => ({ name, type: names.get(dataTypeID) ?? String(dataTypeID) }));
    const column = from && columns.find(({ name }) => name === from.column);
    if (from && !column) throw new AppError(422, 'invalid', `Column ${from.column} is missing in the source`);
    const since = column && from.value !== null ? ` where ${quoted(column.name)} >= ${beginning(from, column.type)}` : '';
    await client.query(`declare source_rows no scroll cursor for select * from ${asSubquery(query)}${since}${column ? ` order by ${quoted(column.name)}` : ''}`);
    return {
      columns,
      async *rows() {
        let row = 0;
        for (;;) {
          const { rows } = await client.query<Record<string, unknown>>(`fetch ${SLICE} from source_rows`);
          if (rows.length === 0) return;
          if (row + rows.length > MAX_ROWS) throw tooMany();
          yield rows.map((cells) => ({ row: ++row, cells }));
        }
      },
      close: () => client.end().catch(() => undefined),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** A little before what was read last: rows stamped while the last run read are read again. */
function beginning({ value, overlapMinutes }: From, type: string): string {
  const text = `${literal(value!)}::${type}`;
  return /^(timestamp|date|time)/.test(type) ? `(${text} - interval '${Math.trunc(overlapMinutes)} minutes')` : text;
}

async function openFile({ files, samplesDir }: SourceDeps, tenant: Tenant, { name, file, sample }: SourceRow): Promise<OpenSource> {
  const path = file !== null ? (await files.open(tenant, file)).path : sample !== null && /^[a-z][a-z0-9_]*\.csv$/.test(sample) ? join(samplesDir, sample) : null;
  if (path === null) throw new AppError(422, 'invalid', `The source "${name}" has no file yet. Upload one there.`);
  const sheet = readSheet(await readFile(path), MAX_ROWS, (cells) => cells.some((cell) => cell !== null && cell !== ''));
  const heads = sheet.heads.map((head) => String(head ?? '').trim());
  return {
    columns: heads.filter((head) => head !== '').map((head) => ({ name: head, type: '' })),
    async *rows() {
      for (let at = 0; at < sheet.rows.length; at += SLICE)
        yield sheet.rows.slice(at, at + SLICE).map(({ row, cells }) => ({ row, cells: Object.fromEntries(heads.flatMap((head, index) => (head === '' ? [] : [[head, cells[index] ?? null]]))) }));
    },
    close: () => Promise.resolve(),
  };
}

function tooMany(): AppError {
  return new AppError(422, 'invalid', `The source has more than ${MAX_ROWS.toLocaleString('en-IN')} rows. Bring what changed only, or narrow the query.`);
}
