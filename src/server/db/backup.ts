import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { backupKey, signatureOf } from './backup_key.ts';
import type { Queryable } from './database.ts';
import type { Directory, TenantRow } from './directory.ts';
import { selectTenants } from './directory.ts';
import { quoted } from './names.ts';
import { tenantSystemVersion } from './system_tables.ts';

/** First line of a backup. */
export interface BackupHeader {
  mainstay: 'backup';
  format: 1;
  at: string;
  /** Release of the system tables; older releases do not have it. */
  step?: number;
  tenant: Omit<TenantRow, 'id' | 'schema' | 'database'>;
}
/** A table with the data needed for its rows: the descriptor defines the rest when it is restored. */
export interface BackupTable {
  table: string;
  columns: { name: string; type: string }[];
  /** Next value of the identity column. */
  next: number | null;
}
/** Last line: the content of the archive, so that a truncated one is recognised. */
export interface BackupEnd {
  end: true;
  rows: Record<string, number>;
  files: number;
  /** Of every line before this one. */
  sha256: string;
  /** With this installation’s key. */
  signature: string;
}

const rowsAtOnce = 2_000;
const fileChunk = 512 * 1024;

/**
 * A tenant as lines of JSON: header, each table with its rows (an array of texts each, exact), each file in base64
 * chunks, end mark. One snapshot: people can continue working. The caller compresses it.
 */
export function backupTenant(directory: Directory, subDomain: string, dataDir: string): Readable {
  return Readable.from(lines(directory, subDomain, dataDir), { objectMode: false, highWaterMark: 1 << 20 });
}

async function* lines(directory: Directory, subDomain: string, dataDir: string): AsyncGenerator<Buffer> {
  const [row] = await selectTenants(directory.main, 'sub_domain = $1', [subDomain]);
  if (!row) throw new Error(`There is no client with the sub-domain "${subDomain}".`);
  const hash = createHash('sha256');
  const line = (value: unknown): Buffer => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    hash.update(bytes);
    return bytes;
  };
  const { id: _id, schema, database, ...tenant } = row;
  const head: BackupHeader = {
    mainstay: 'backup',
    format: 1,
    at: new Date().toISOString(),
    step: tenantSystemVersion,
    tenant,
  };
  yield line(head);

  const counts: Record<string, number> = {};
  const client = await (await directory.get(database)).connect();
  const on: Queryable = {
    query: async <T>(text: unknown, values?: unknown[]) => (await client.query(String(text), values)).rows as T[],
  };
  try {
    await on.query('begin isolation level repeatable read, read only');
    // Names inside this schema are unqualified, so that they fit any schema; all others are qualified.
    await on.query(`select set_config('search_path', $1, true)`, [quoted(schema)]);
    for (const table of await describeTables(on, schema)) {
      yield line(table);
      const list = table.columns.map(({ name }) => `${quoted(name)}::text`).join(', ');
      await on.query(
        `declare everything no scroll cursor for select array[${list}] as v from ${quoted(schema)}.${quoted(table.table)}`,
      );
      counts[table.table] = 0;
      for (;;) {
        const batch = await on.query<{ v: (string | null)[] }>(`fetch ${rowsAtOnce} from everything`);
        if (batch.length === 0) break;
        counts[table.table] = (counts[table.table] ?? 0) + batch.length;
        yield line({ rows: batch.map(({ v }) => v) });
      }
      await on.query('close everything');
    }
    await on.query('commit');
  } finally {
    client.release();
  }

  const files = join(dataDir, 'files', schema);
  let fileCount = 0;
  for (const path of existsSync(files) ? (await readdir(files, { recursive: true })).sort() : []) {
    const full = join(files, path);
    if (path.startsWith('.') || !(await stat(full)).isFile()) continue;
    fileCount++;
    yield line({ file: relative(files, full).replaceAll('\\', '/') });
    for await (const chunk of createReadStream(full, { highWaterMark: fileChunk }))
      yield line({ bytes: (chunk as Buffer).toString('base64') });
  }
  const sha256 = hash.digest('hex');
  const signature = signatureOf(sha256, await backupKey(directory.main));
  const end: BackupEnd = { end: true, rows: counts, files: fileCount, sha256, signature };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

async function describeTables(on: Queryable, schema: string): Promise<BackupTable[]> {
  const tables = await on.query<{ table: string; columns: BackupTable['columns']; identity: string | null }>(
    `select c.relname as "table", json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns,
       max(a.attname::text) filter (where a.attidentity <> '') as identity
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = $1 and c.relkind = 'r' group by c.relname order by c.relname`,
    [schema],
  );
  const described: BackupTable[] = [];
  for (const { table, columns, identity } of tables) {
    let next: number | null = null;
    if (identity !== null) {
      const [sequence] = await on.query<{ name: string }>('select pg_get_serial_sequence($1, $2) as name', [
        `${quoted(schema)}.${quoted(table)}`,
        identity,
      ]);
      const [state] = sequence
        ? await on.query<{ next: number }>(
            `select last_value + (case when is_called then 1 else 0 end) as next from ${sequence.name}`,
          )
        : [];
      next = state?.next ?? null;
    }
    described.push({ table, columns, next });
  }
  return described;
}
