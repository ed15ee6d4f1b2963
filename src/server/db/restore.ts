import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { Tenant } from '../context.ts';
import { lockSchema } from './apply.ts';
import type { BackupTable } from './backup.ts';
import { openBackup } from './backup_lines.ts';
import { clientRole, forgetClientRole } from './client_roles.ts';
import type { Queryable } from './database.ts';
import type { Directory } from './directory.ts';
import { selectTenants } from './directory.ts';
import { quoted, schemaName } from './names.ts';
import { findTenant } from './tenants.ts';

export interface RestoreOptions {
  /** Default: that of the backup. */
  subDomain?: string;
  /** Name in the tenant directory; default "main". */
  database?: string;
  /** Replaces the client of that sub-domain, whose present data is lost. */
  replace?: boolean;
  dataDir: string;
}

/**
 * Puts a backup back, as the same or as another client, in one transaction: it is there whole, or not at all.
 * Throws when the archive is torn or changed, or the sub-domain is taken (unless `replace`).
 */
export async function restoreTenant(
  directory: Directory,
  archive: Readable,
  options: RestoreOptions,
): Promise<{ tenant: Tenant; rows: Record<string, number>; files: number }> {
  const { header, lines } = await openBackup(archive);
  const subDomain = options.subDomain ?? header.tenant.subDomain;
  const schema = schemaName(subDomain);
  const databaseName = options.database ?? 'main';
  const database = await directory.get(databaseName);
  const [taken] = await selectTenants(directory.main, 'sub_domain = $1', [subDomain]);
  if (taken && !options.replace)
    throw new Error(
      `The sub-domain "${subDomain}" is taken by ${taken.name}. Restore under another one, or replace it on purpose (--replace).`,
    );
  if (taken && taken.database !== databaseName)
    throw new Error(`The client "${subDomain}" is in the database "${taken.database}": restore it there.`);

  const files = join(options.dataDir, 'files', schema);
  const draft = `${files}.restore-${randomBytes(4).toString('hex')}`;
  try {
    const counts = await database.transaction(async (tx) => {
      await lockSchema(tx, schema);
      await tx.query('set local citus.enable_schema_based_sharding to on');
      if (taken) await tx.query(`drop schema if exists ${quoted(schema)} cascade`);
      await tx.query(`create schema ${quoted(schema)}`);
      await tx.query(`select set_config('search_path', $1, true)`, [quoted(schema)]);
      const tables: BackupTable[] = [];
      const rows: Record<string, number> = {};
      let table: BackupTable | undefined;
      let path = '';
      let fileCount = 0;
      for await (const line of lines) {
        if (typeof line.table === 'string') {
          table = line as unknown as BackupTable;
          tables.push(table);
          rows[table.table] = 0;
          await tx.query(createTable(schema, table));
        } else if (Array.isArray(line.rows) && table) {
          await insertRows(tx, schema, table, line.rows);
          rows[table.table] = (rows[table.table] ?? 0) + line.rows.length;
        } else if (typeof line.file === 'string') {
          path = inside(draft, line.file);
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeFile(path, '', { mode: 0o600 });
          fileCount++;
        } else if (typeof line.bytes === 'string') {
          await appendFile(path, Buffer.from(line.bytes, 'base64'));
        }
      }
      // Rows first, then what is built from them: indexes sort once, and keys find what they name.
      for (const one of tables) await tx.query(finish(schema, one, false));
      for (const one of tables) await tx.query(finish(schema, one, true));
      return { rows, files: fileCount };
    });
    // Its tables are new: processes that have its role already go on without noticing.
    forgetClientRole(database, schema);
    await clientRole(database, schema);
    const { code, name, products, active, timezone, licensedUsers } = header.tenant;
    await directory.main.query(
      `insert into public.client as c (code, name, sub_domain, schema_name, database, products, active, timezone, licensed_users)
       values ((select case when exists (select 1 from public.client where code = $1 and sub_domain <> $3) then upper($3) else $1 end), $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (sub_domain) do update set name = excluded.name, products = excluded.products, active = excluded.active,
         timezone = excluded.timezone, licensed_users = excluded.licensed_users, state = 'ready'`,
      [code, name, subDomain, schema, databaseName, products, active, timezone, licensedUsers],
    );
    await rm(files, { recursive: true, force: true });
    if (counts.files > 0) await rename(draft, files);
    const tenant = await findTenant(directory, subDomain);
    if (!tenant) throw new Error(`The client ${subDomain} was restored but is not in the directory.`);
    return { tenant, ...counts };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A name in the archive must not lead out of the client's folder. */
function inside(folder: string, name: string): string {
  const path = normalize(join(folder, name));
  if (!path.startsWith(folder + sep)) throw new Error(`The backup is damaged: file name "${name}".`);
  return path;
}

function createTable(schema: string, { table, columns }: BackupTable): string {
  const lines = columns.map(({ name, type, notNull, default: value, identity }) =>
    [
      quoted(name),
      type,
      identity && 'generated by default as identity',
      notNull && !identity && 'not null',
      value !== null && !identity && `default ${value}`,
    ]
      .filter(Boolean)
      .join(' '),
  );
  return `create table ${quoted(schema)}.${quoted(table)} (${lines.join(', ')})`;
}

async function insertRows(
  on: Queryable,
  schema: string,
  { table, columns }: BackupTable,
  rows: unknown[],
): Promise<void> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const values = columns.map(({ type }, at) => `(r.v->>${at})::${type}`).join(', ');
  await on.query(
    `insert into ${quoted(schema)}.${quoted(table)} (${names}) select ${values} from json_array_elements($1::json) with ordinality as r(v, n) order by r.n`,
    [JSON.stringify(rows)],
  );
}

function finish(schema: string, { table, columns, indexes, constraints, next }: BackupTable, foreign: boolean): string {
  const at = `${quoted(schema)}.${quoted(table)}`;
  const statements = constraints
    .filter((one) => one.foreign === foreign)
    .map(({ name, definition }) => `alter table ${at} add constraint ${quoted(name)} ${definition}`);
  if (!foreign) {
    for (const index of indexes) {
      const [what = '', rest = ''] =
        index.split('|using ', 2).length === 2
          ? [index.slice(0, index.indexOf('|using ')), index.slice(index.indexOf('|using ') + 7)]
          : [];
      statements.push(`create ${what} on ${at} using ${rest}`);
    }
    const identity = columns.find((column) => column.identity);
    if (identity && next !== null)
      statements.push(`alter table ${at} alter column ${quoted(identity.name)} restart with ${next}`);
  }
  return statements.length === 0 ? 'select 1' : statements.join(';\n');
}
