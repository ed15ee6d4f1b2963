import { createHash, randomBytes } from 'node:crypto';
import { announce } from './announce.ts';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { Screen } from '../../descriptor/types.ts';
import type { Tenant } from './tenant.ts';
import { describeRefusal, lockSchema, reasonOf } from './apply.ts';
import type { BackupHeader, BackupTable } from './backup.ts';
import { backupKey } from './backup_key.ts';
import { openBackup } from './backup_lines.ts';
import { clientRole, forgetClientRole } from './client_roles.ts';
import type { Queryable } from './database.ts';
import type { Directory } from './directory.ts';
import { selectTenants } from './directory.ts';
import { foreignFindings } from './foreign_values.ts';
import { quoted, schemaName } from './names.ts';
import { checkedTable, restoredTables } from './restored_tables.ts';
import { newTenantSystemTables, tenantSystemVersion } from './system_tables.ts';
import { findTenant, moveCompaniesOfUsers } from './tenants.ts';

export interface RestoreOptions {
  /** Default: the sub-domain of the backup. */
  subDomain?: string;
  /** Name in the tenant directory; default "main". */
  database?: string;
  /** Replaces the client with that sub-domain, whose current data is lost. */
  replace?: boolean;
  /** Accepts a backup that this installation has not written, or that was changed. Every value is validated. */
  foreign?: boolean;
  /** The caller has verified in another way that this installation wrote it, and that it is unchanged. */
  known?: boolean;
  /** Row counts of each table when the archive was written. Default: the archive's own. */
  expected?: Readonly<Record<string, number>>;
  dataDir: string;
  /** Descriptors: they define the tables, not the file. */
  screens: ReadonlyMap<string, Screen>;
  /** Whether a formatted text is in the product's form. */
  isClean: (html: string) => boolean;
}

export interface Restored {
  tenant: Tenant;
  /** By table. */
  rows: Record<string, number>;
  files: number;
  foreign: boolean;
  held: boolean;
  /** Data of fields that the descriptors no longer have, as text, with the command that drops it. */
  kept: string[];
}

/** Data that a copy must not send again, or that belongs to sessions of the original. */
const NOT_COPIED = [
  'session',
  'password_token',
  'otp_challenge',
  'analytics_token',
  'users_device',
  'calendar_address',
  'write_key',
  'public_token',
];

/**
 * Restores a backup, as the same or as another client, in one transaction: completely, or not at all. The file is
 * treated as data: its tables are created from descriptors, and nothing in it is executed. A copy sends and runs
 * nothing until an administrator enables it. Throws if the archive is truncated, changed or foreign (unless `foreign`),
 * or the sub-domain is taken (unless `replace`).
 */
export async function restoreTenant(
  directory: Directory,
  archive: Readable,
  options: RestoreOptions,
): Promise<Restored> {
  const { header, lines, isSigned } = await openBackup(archive, await backupKey(directory.main));
  const of = checkedHeader(header);
  const subDomain = options.subDomain ?? of.subDomain;
  if (!/^[a-z][a-z0-9-]{0,28}[a-z0-9]$/.test(subDomain)) throw new Error(`"${subDomain}" cannot be a sub-domain.`);
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
  const note = async (on: Queryable, state: 'creating' | 'ready', held: boolean): Promise<void> => {
    await on.query(
      `insert into public.client as c (code, name, sub_domain, schema_name, database, products, active, timezone, licensed_users, state, held)
       values ((select case when exists (select 1 from public.client where code = $1 and sub_domain <> $3) then upper($3) else $1 end), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (sub_domain) do update set name = excluded.name, products = excluded.products, active = excluded.active,
         timezone = excluded.timezone, licensed_users = excluded.licensed_users, state = excluded.state, held = excluded.held`,
      [
        of.code,
        of.name,
        subDomain,
        schema,
        databaseName,
        of.products,
        of.active,
        of.timezone,
        of.licensedUsers,
        state,
        held,
      ],
    );
    await announce(on, { kind: 'client' });
  };
  try {
    const restored = await database.transaction(async (tx) => {
      await lockSchema(tx, schema);
      await removeDrafts(options.dataDir, schema);
      await tx.query('set local citus.enable_schema_based_sharding to on');
      if (taken) await tx.query(`drop schema if exists ${quoted(schema)} cascade`);
      await tx.query(`create schema ${quoted(schema)}`);
      await tx.query(newTenantSystemTables(schema));
      const made = restoredTables(tx, schema, options.screens);
      await made.begin();
      const rows: Record<string, number> = {};
      let table: BackupTable | undefined;
      let path = '';
      const paths: string[] = [];
      for await (const line of lines) {
        if (typeof line.table === 'string') {
          table = checkedTable(line);
          rows[table.table] = 0;
          await made.add(table);
        } else if (Array.isArray(line.rows) && table) {
          await made.insert(table, line.rows);
          rows[table.table] = (rows[table.table] ?? 0) + line.rows.length;
        } else if (typeof line.file === 'string') {
          path = inside(draft, line.file);
          paths.push(path);
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeFile(path, '', { mode: 0o600, flag: 'wx' });
        } else if (typeof line.bytes === 'string' && path !== '') {
          await appendFile(path, Buffer.from(line.bytes, 'base64'));
        }
      }
      const { expected } = options;
      if (expected) {
        const other = [...new Set([...Object.keys(expected), ...Object.keys(rows)])].filter(
          (name) => expected[name] !== rows[name],
        );
        if (other.length > 0)
          throw new Error(
            `The archive holds other rows than when it was made: ${other
              .slice(0, 5)
              .map((name) => `${name} ${rows[name] ?? 0} of ${expected[name] ?? 0}`)
              .join(', ')}. Nothing was restored.`,
          );
      }
      const foreign = !options.known && !isSigned();
      if (foreign && !options.foreign)
        throw new Error(
          'This backup is foreign: another installation wrote it, or it was changed since. Nothing was restored. If you trust where it comes from, add --foreign; every value is checked then.',
        );
      const { refused, outgrown, kept } = await made.finish(!foreign);
      for (const one of paths) await checkFile(one, foreign);
      if (foreign) {
        const findings = [
          ...refused.map(describeRefusal),
          ...(await foreignFindings(tx, schema, options.screens, options.isClean)),
        ];
        if (findings.length > 0)
          throw new Error(
            `This foreign backup holds what nobody could enter. Nothing was restored.\n${findings.join('\n')}`,
          );
      }
      if (outgrown.length > 0)
        throw new Error(
          `Fields have changed since this backup was made, and its rows do not fit them. Nothing was restored.\n${outgrown
            .map((refusal) => `${refusal.change.what}: not done, ${reasonOf(refusal)}.`)
            .join(
              '\n',
            )}\nLet these fields take such values again (schemas), restore, correct the rows, then change the fields.`,
        );
      await moveCompaniesOfUsers(tx, schema);
      const copy = foreign || !taken || of.subDomain !== subDomain;
      if (copy) await quieten(tx, schema);
      const held = copy || taken.held;
      // Files are named after their content: adding these does not affect the current client.
      for (const one of paths) {
        const place = join(files, relative(draft, one));
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        await rename(one, place);
      }
      if (database === directory.main) await note(tx, 'ready', held);
      else if (!taken) await directory.main.transaction((main) => note(main, 'creating', held));
      const names = new Set(paths.map((one) => relative(draft, one)));
      return { rows, files: paths.length, names, foreign, held, kept: kept.map(describeRefusal) };
    });
    if (database !== directory.main) await directory.main.transaction((main) => note(main, 'ready', restored.held));
    // Its tables are new: processes that already use its role are not affected.
    forgetClientRole(database, schema);
    await clientRole(database, schema);
    await removeOthers(files, restored.names);
    const tenant = await findTenant(directory, subDomain);
    if (!tenant) throw new Error(`The client ${subDomain} was restored but is not in the directory.`);
    const { names: _names, ...outcome } = restored;
    return { tenant, ...outcome };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes files left behind by interrupted restores of a client. */
export async function removeDrafts(dataDir: string, schema: string): Promise<void> {
  const folder = join(dataDir, 'files');
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${schema}.restore-`)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Removes files of the previous client that are no longer used. */
async function removeOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !names.has(relative(folder, path))) await rm(path, { force: true });
  }
}

/** The client named in the backup, if all its data is valid. */
function checkedHeader({ tenant, step = 0 }: BackupHeader): BackupHeader['tenant'] {
  if (!(step <= tenantSystemVersion))
    throw new Error('This backup was made by a newer release. Nothing was restored: install that release first.');
  const texts = [tenant?.code, tenant?.name, tenant?.subDomain, tenant?.timezone];
  const right =
    texts.every((text) => typeof text === 'string' && text !== '' && text.length <= 200 && !text.includes('\0')) &&
    Array.isArray(tenant.products) &&
    tenant.products.every((code) => typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,30}$/.test(code)) &&
    typeof tenant.active === 'boolean' &&
    Number.isSafeInteger(tenant.licensedUsers) &&
    tenant.licensedUsers >= 0;
  if (!right) throw new Error('The backup is damaged: it does not say whose it is.');
  return tenant;
}

/** A copy neither repeats pending deliveries of the original, nor keeps its sessions. */
async function quieten(tx: Queryable, schema: string): Promise<void> {
  const s = quoted(schema);
  for (const table of NOT_COPIED) await tx.query(`delete from ${s}.${quoted(table)}`);
  await tx.query(
    `update ${s}.outbox set state = 'suppressed', error = 'This is a copy: the original sends it.' where state in ('queued', 'sending', 'retry')`,
  );
  await tx.query(`update ${s}.report_subscription set paused = true`);
  await tx.query(
    `update ${s}.event_delivery set state = 'dropped', ended_at = now(), error = 'This is a copy: the original does it.' where state = 'waiting'`,
  );
  await tx.query(
    `do $do$ begin if to_regclass('${s}.api_delivery') is not null then update ${s}.api_delivery set state = 'dead' where state in ('queued', 'retry', 'delivering'); end if; end $do$`,
  );
}

/** A name in the archive must not point outside the client's folder. */
function inside(folder: string, name: string): string {
  const path = normalize(join(folder, name));
  if (!path.startsWith(folder + sep) || !/^[\w./-]{1,200}$/.test(name))
    throw new Error(`The backup is damaged: file name "${name}".`);
  return path;
}

/** Files are named after their content. */
async function checkFile(path: string, foreign: boolean): Promise<void> {
  const name = path.slice(path.lastIndexOf(sep) + 1);
  if (!/^[0-9a-f]{64}$/.test(name)) {
    if (foreign) throw new Error(`The backup is damaged: file name "${name}".`);
    return;
  }
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  if (hash.digest('hex') !== name) throw new Error(`The backup is damaged: the file ${name} has another content.`);
}
