import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import type { Queryable } from './database.ts';
import type { Directory, TenantRow } from './directory.ts';
import { selectTenants } from './directory.ts';
import { quoted } from './names.ts';

/** First line of a backup. */
export interface BackupHeader {
  mainstay: 'backup';
  format: 1;
  at: string;
  tenant: Omit<TenantRow, 'id' | 'schema' | 'database'>;
}
/** A table as it is, enough to make it again without any descriptor. */
export interface BackupTable {
  table: string;
  columns: { name: string; type: string; notNull: boolean; default: string | null; identity: boolean }[];
  /** Next value of the identity column. */
  next: number | null;
  /** After all rows: indexes, then keys and checks. */
  indexes: string[];
  constraints: { name: string; definition: string; foreign: boolean }[];
}
/** Last line: what the archive held, so that a torn one is recognised. */
export interface BackupEnd {
  end: true;
  rows: Record<string, number>;
  files: number;
  /** Of every line before this one. */
  sha256: string;
}

const rowsAtOnce = 2_000;
const fileChunk = 512 * 1024;

/**
 * A tenant as lines of JSON: header, each table with its rows (an array of texts each, exact), each file in
 * base64 chunks, end mark. One snapshot: people go on working meanwhile. Compress it on the way out.
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
  yield line({ mainstay: 'backup', format: 1, at: new Date().toISOString(), tenant } satisfies BackupHeader);

  const counts: Record<string, number> = {};
  const client = await (await directory.get(database)).connect();
  const on: Queryable = {
    query: async <T>(text: unknown, values?: unknown[]) => (await client.query(String(text), values)).rows as T[],
  };
  try {
    await on.query('begin isolation level repeatable read, read only');
    // Names inside this schema come without it, so that they fit any schema; everything else is qualified.
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
  const end: BackupEnd = { end: true, rows: counts, files: fileCount, sha256: hash.digest('hex') };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

async function describeTables(on: Queryable, schema: string): Promise<BackupTable[]> {
  const tables = await on.query<{ table: string; columns: BackupTable['columns'] }>(
    `select c.relname as "table", json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
       'default', pg_get_expr(d.adbin, d.adrelid), 'identity', a.attidentity <> '') order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where n.nspname = $1 and c.relkind = 'r' group by c.relname order by c.relname`,
    [schema],
  );
  const constraints = await on.query<{ table: string; name: string; definition: string; foreign: boolean }>(
    `select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition, k.contype = 'f' as "foreign"
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and k.contype in ('p', 'u', 'c', 'f', 'x') order by c.relname, k.contype = 'f', k.conname`,
    [schema],
  );
  const indexes = await on.query<{ table: string; definition: string }>(
    `select c.relname as "table", (case when x.indisunique then 'unique ' else '' end) || 'index ' || quote_ident(i.relname) || '|using ' || substring(pg_get_indexdef(i.oid) from ' USING (.*)$') as definition
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and x.indisvalid and not exists (select 1 from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x') and k.conname = i.relname)
     order by c.relname, i.relname`,
    [schema],
  );
  const described: BackupTable[] = [];
  for (const { table, columns } of tables) {
    const identity = columns.find((column) => column.identity);
    let next: number | null = null;
    if (identity) {
      const [sequence] = await on.query<{ name: string }>('select pg_get_serial_sequence($1, $2) as name', [
        `${quoted(schema)}.${quoted(table)}`,
        identity.name,
      ]);
      if (sequence) {
        const [state] = await on.query<{ next: number }>(
          `select last_value + (case when is_called then 1 else 0 end) as next from ${sequence.name}`,
        );
        next = state?.next ?? null;
      }
    }
    described.push({
      table,
      columns,
      next,
      indexes: indexes.filter((one) => one.table === table).map(({ definition }) => definition),
      constraints: constraints
        .filter((one) => one.table === table)
        .map(({ table: _table, ...constraint }) => constraint),
    });
  }
  return described;
}
