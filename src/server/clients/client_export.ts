import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Screen } from '../../descriptor/types.ts';
import type { Session, Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';
import { bareTable } from '../db/tables.ts';
import { FileStore } from '../files/store.ts';

const ROWS_AT_ONCE = 2_000;
/** What a plain ZIP can hold. */
const MOST_FILES = 65_000;
const MOST_BYTES = 4_000_000_000;

/** Tables that are keys to the client's accounts, or the product's own notes: nothing of theirs leaves. */
const KEPT_BACK: ReadonlySet<string> = new Set([
  'credential', 'password_token', 'user_totp', 'otp_challenge', 'session', 'known_device', 'users_device', 'login_attempt', 'login_counter',
  'analytics_token', 'outbox', 'schema_state', 'system_version', 'rights_version', 'number_counter',
]);

/** Columns that hold secrets, by table. */
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

/** A cell of a CSV file. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvCell(value: string | null, isText: boolean): string {
  if (value === null) return '';
  const safe = isText && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Everything a client has, as one ZIP file: each table as CSV (UTF-8), each uploaded file, and a list of it all.
 * All tables are of one moment; people go on working meanwhile. @returns the number of the file among the platform's
 */
export async function exportClient({ tenant, screens, dataDir, platform, by }: { tenant: Tenant; screens: ReadonlyMap<string, Screen>; dataDir: string; platform: Tenant; by: number | null }): Promise<{ file: number; tables: number; rows: number; files: number }> {
  const draft = join(dataDir, 'exports', `${tenant.subDomain}-${Date.now()}.zip`);
  await mkdir(join(dataDir, 'exports'), { recursive: true, mode: 0o700 });
  try {
    const made = await writeZip(draft, tenant, screens, dataDir);
    const store = new FileStore(dataDir, MOST_BYTES);
    const file = await store.save({ tenant: platform, userId: by } as unknown as Session, `${tenant.subDomain}-data.zip`, createReadStream(draft) as AsyncIterable<Buffer>, null);
    return { file: file.id, ...made };
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeZip(path: string, tenant: Tenant, screens: ReadonlyMap<string, Screen>, dataDir: string): Promise<{ tables: number; rows: number; files: number }> {
  const out = createWriteStream(path, { mode: 0o600 });
  const done = finished(out);
  done.catch(() => undefined);
  let room = true;
  let written = 0;
  const zip = new Zip((error, chunk) => {
    if (error) out.destroy(error);
    else {
      written += chunk.length;
      room = out.write(chunk);
    }
  });
  const drained = async (): Promise<void> => {
    if (written > MOST_BYTES) throw new Error('The data of this client is too large for one ZIP file. Make a backup instead (npm run backup).');
    if (!room) await Promise.race([once(out, 'drain'), done]);
  };
  const entry = (name: string, packed: boolean): { push: (bytes: Uint8Array, last?: boolean) => Promise<void> } => {
    const file = packed ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    zip.add(file);
    return {
      push: async (bytes, last = false) => {
        file.push(bytes, last);
        await drained();
      },
    };
  };
  const list: { name: string; rows?: number; bytes?: number }[] = [];
  const secrets = secretColumns(screens);
  const { schema } = tenant;
  const client = await tenant.db.pool.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    const { rows: tables } = await client.query<{ table: string; columns: { name: string; text: boolean }[] }>(
      `select c.relname as "table", json_agg(json_build_object('name', a.attname, 'text', a.atttypid in ('text'::regtype, 'varchar'::regtype)) order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where n.nspname = $1 and c.relkind = 'r' group by c.relname order by c.relname`, [schema]);
    for (const { table, columns } of tables) {
      if (KEPT_BACK.has(table)) continue;
      const shown = columns.filter(({ name }) => !secrets.get(table)?.has(name));
      const name = `tables/${table}.csv`;
      const file = entry(name, true);
      await file.push(Buffer.from(`\uFEFF${shown.map((column) => csvCell(column.name, true)).join(',')}\r\n`));
      await client.query(`declare everything no scroll cursor for select array[${shown.map((column) => `${quoted(column.name)}::text`).join(', ')}] as v from ${quoted(schema)}.${quoted(table)}`);
      let count = 0;
      for (;;) {
        const { rows } = await client.query<{ v: (string | null)[] }>(`fetch ${ROWS_AT_ONCE} from everything`);
        if (rows.length === 0) break;
        count += rows.length;
        await file.push(Buffer.from(rows.map(({ v }) => `${v.map((value, at) => csvCell(value, shown[at]!.text)).join(',')}\r\n`).join('')));
      }
      await client.query('close everything');
      await file.push(new Uint8Array(0), true);
      list.push({ name, rows: count });
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    zip.terminate();
    out.destroy();
    throw error;
  } finally {
    client.release();
  }
  const tables = list.length;
  const folder = join(dataDir, 'files', schema);
  const uploads = (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
  if (uploads.length > MOST_FILES) throw new Error('This client has more files than one ZIP file holds. Make a backup instead (npm run backup).');
  for (const upload of uploads) {
    const full = join(folder, upload);
    const { size } = await stat(full).then((found) => (found.isFile() ? found : { size: -1 }));
    if (size < 0) continue;
    const name = `files/${relative(folder, full).replaceAll('\\', '/')}`;
    const file = entry(name, false);
    for await (const chunk of createReadStream(full) as AsyncIterable<Buffer>) await file.push(chunk);
    await file.push(new Uint8Array(0), true);
    list.push({ name, bytes: size });
  }
  const about = { client: tenant.name, sub_domain: tenant.subDomain, at: new Date().toISOString(), note: 'Files are named by their contents (SHA-256); tables/file.csv says what each is called.', contents: list };
  await entry('contents.json', true).push(Buffer.from(JSON.stringify(about, null, 2)), true);
  zip.end();
  out.end();
  await done;
  return { tables, rows: list.reduce((sum, one) => sum + (one.rows ?? 0), 0), files: list.length - tables };
}
