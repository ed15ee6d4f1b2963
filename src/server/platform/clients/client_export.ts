import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { bareTable } from '../../db/tables.ts';
import { FileStore } from '../../services/files/store.ts';
import type { Queryable } from '../../db/database.ts';
import { removeStamped } from './stamped_files.ts';

const ROWS_AT_ONCE = 2_000;

/** Tables with credentials of the client's accounts, or the product's internal data: they are not exported. */
const KEPT_BACK: ReadonlySet<string> = new Set([
  'credential',
  'password_token',
  'user_totp',
  'otp_challenge',
  'session',
  'known_device',
  'users_device',
  'login_attempt',
  'login_counter',
  'analytics_token',
  'outbox',
  'write_key',
  'public_token',
  'domain_event',
  'event_delivery',
  'schema_state',
  'system_version',
  'rights_version',
  'number_counter',
  'search_entry',
]);

/** Columns with secrets, by table. */
function secretColumns(screens: ReadonlyMap<string, Screen>): Map<string, Set<string>> {
  const secrets = new Map<string, Set<string>>();
  const add = (table: string, column: string) => secrets.set(table, (secrets.get(table) ?? new Set()).add(column));
  for (const screen of screens.values())
    for (const field of screen.fields) {
      if (field.secret) add(screen.name, field.name);
      for (const column of field.rows ?? []) if (column.secret) add(bareTable(screen.name, field.name), column.name);
    }
  return secrets;
}

/** A cell of a CSV file. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
function csvCell(value: string | null, isText: boolean): string {
  if (value === null) return '';
  const safe = isText && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface ExportSource {
  tenant: Tenant;
  screens: ReadonlyMap<string, Screen>;
  dataDir: string;
}

interface Contents {
  tables: number;
  rows: number;
  files: number;
}

/**
 * All data of a client as one ZIP file of any size: each table as CSV (UTF-8), each uploaded file, and a list of
 * contents. All tables are from one snapshot; people can continue working. @returns the id of the file among the
 * platform's
 */
export async function exportClient({
  platform,
  by,
  keep,
  ...source
}: ExportSource & {
  platform: Tenant;
  by: number | null;
  /** Stores the id of the file, in the transaction that creates it. */
  keep: (tx: Queryable, file: number) => Promise<unknown>;
}): Promise<Contents & { file: number }> {
  const { tenant, dataDir } = source;
  await removeExportDrafts(dataDir, tenant.subDomain);
  const draft = join(dataDir, 'exports', `${tenant.subDomain}-${Date.now()}.zip`);
  await mkdir(join(dataDir, 'exports'), { recursive: true, mode: 0o700 });
  try {
    const made = await writeClientZip(draft, source);
    const about = { name: `${tenant.subDomain}-data.zip`, type: 'application/zip', by };
    const file = await new FileStore(dataDir, Number.MAX_SAFE_INTEGER).take(platform, draft, about, keep);
    return { file, ...made };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes files left by interrupted exports of a client. */
export function removeExportDrafts(dataDir: string, subDomain: string): Promise<void> {
  return removeStamped(join(dataDir, 'exports'), subDomain, '.zip');
}

/**
 * @param large writes every entry as if it had more than 4 GB (ZIP64), which is otherwise done only for those that have
 */
export async function writeClientZip(
  path: string,
  { tenant, screens, dataDir }: ExportSource,
  large = false,
): Promise<Contents> {
  const zip = new ZipFile();
  const list: { name: string; rows?: number; bytes?: number }[] = [];
  /** Entries are read one after the other, each when its turn has come. */
  const add = (name: string, compress: boolean, content: () => AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(name, { compress, forceZip64Format: large }, (ready) =>
      ready(null, Readable.from(content(), { objectMode: false })),
    );
  const { schema } = tenant;
  const client = await tenant.db.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    const { rows: tables } = await client.query<{ table: string; columns: { name: string; text: boolean }[] }>(
      `select c.relname as "table", json_agg(json_build_object('name', a.attname, 'text', a.atttypid in ('text'::regtype, 'varchar'::regtype)) order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where n.nspname = $1 and c.relkind = 'r' group by c.relname order by c.relname`,
      [schema],
    );
    const secrets = secretColumns(screens);
    const exported = tables.filter(({ table }) => !KEPT_BACK.has(table));
    for (const { table, columns } of exported) {
      const shown = columns.filter(({ name }) => !secrets.get(table)?.has(name));
      const name = `tables/${table}.csv`;
      add(name, true, async function* () {
        yield Buffer.from(`\uFEFF${shown.map((column) => csvCell(column.name, true)).join(',')}\r\n`);
        await client.query(
          `declare everything no scroll cursor for select array[${shown.map((column) => `${quoted(column.name)}::text`).join(', ')}] as v from ${quoted(schema)}.${quoted(table)}`,
        );
        let count = 0;
        for (;;) {
          const { rows } = await client.query<{ v: (string | null)[] }>(`fetch ${ROWS_AT_ONCE} from everything`);
          if (rows.length === 0) break;
          count += rows.length;
          yield Buffer.from(
            rows.map(({ v }) => `${v.map((value, at) => csvCell(value, shown[at]!.text)).join(',')}\r\n`).join(''),
          );
        }
        await client.query('close everything');
        list.push({ name, rows: count });
        // Copying files may take long; the database snapshot is not held during that time.
        if (list.length === exported.length) await client.query('commit');
      });
    }
    const folder = join(dataDir, 'files', schema);
    const uploads = (await readdir(folder, { recursive: true }).catch(() => []))
      .filter((name) => !name.startsWith('.'))
      .sort();
    for (const upload of uploads) {
      const full = join(folder, upload);
      const found = await stat(full);
      if (!found.isFile()) continue;
      const name = `files/${relative(folder, full).replaceAll('\\', '/')}`;
      add(name, false, async function* () {
        yield* createReadStream(full) as AsyncIterable<Buffer>;
        list.push({ name, bytes: found.size });
      });
    }
    // The last entry: all the others have been counted by then.
    add('contents.json', true, async function* () {
      const about = {
        client: tenant.name,
        sub_domain: tenant.subDomain,
        at: new Date().toISOString(),
        note: 'Files are named by their contents (SHA-256); tables/file.csv lists their original names.',
        contents: list,
      };
      yield Buffer.from(JSON.stringify(about, null, 2));
    });
    const out = zip.outputStream as Readable;
    zip.on('error', (error: Error) => out.destroy(error));
    zip.end({ forceZip64Format: large, comment: '' });
    await pipeline(out, createWriteStream(path, { mode: 0o600, flush: true }));
    return {
      tables: exported.length,
      rows: list.reduce((sum, one) => sum + (one.rows ?? 0), 0),
      files: list.length - exported.length,
    };
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}
