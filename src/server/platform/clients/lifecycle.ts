import { announce } from '../../db/announce.ts';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { formatNumber } from '../../../descriptor/format.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { dayIn } from '../../services/clock/client_day.ts';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { backupTenant } from '../../db/backup.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { selectTenants } from '../../db/directory.ts';
import { dropClientRole } from '../../db/client_roles.ts';
import { quoted, schemaName } from '../../db/names.ts';
import { removeDrafts, restoreTenant } from '../../db/restore.ts';
import { dropTenant, findTenant, forgetTables } from '../../db/tenants.ts';
import { AppError } from '../../db/errors.ts';
import { isCleanHtml } from '../../engine/records/rich_text.ts';
import { FileStore } from '../../services/files/store.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Account } from './account.ts';
import { applyAccount, readAccount } from './account.ts';
import { mayTake, takeStep } from './transitions.ts';
import { contentsOf, readArchive, writeArchive } from './archive_file.ts';
import { exportClient, removeExportDrafts } from './client_export.ts';
import { demoState, removeDemo } from './demo_removal.ts';
import { event } from './provision.ts';
import { removeStamped } from './stamped_files.ts';

/** Days a client must be deactivated before it may be archived, and archived before it may be purged. */
const ARCHIVE_AFTER_DAYS = 30;
const PURGE_AFTER_DAYS = 90;
/** How long a purge requested by one administrator waits for the second. */
const CONFIRM_HOURS = 72;
/** How long the address of a purged client is reserved. */
const BLOCKED_DAYS = 365;
/** How long exports are kept. */
const EXPORT_DAYS = 7;

/** Actions on a client executed by a job, so that the page can be left. */
export type LongAct = 'archive' | 'restore' | 'purge' | 'export' | 'demo_removal';

const TITLES: Record<LongAct, string> = {
  archive: 'Archive a client',
  restore: 'Restore a client',
  purge: 'Purge a client',
  export: 'Export the data of a client',
  demo_removal: 'Remove the demo data of a client',
};

export interface LifecycleDeps {
  directory: Directory;
  jobs: Jobs;
  screens: () => ReadonlyMap<string, Screen>;
  dataDir: string;
  /** Encrypts archives. */
  key: Buffer;
  platform: () => Promise<Tenant>;
}

interface Archive {
  file: string;
  at: string;
  bytes: number;
  sha256: string;
  rows: Record<string, number>;
  files: number;
}

/** A run of a long action, as shown on the client's page. */
export interface LongRun {
  id: number;
  act: LongAct;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  at: string;
  ms: number | null;
  message: string | null;
  error: string | null;
  by: string | null;
  /** An export that can still be downloaded. */
  file: number | null;
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** The long actions on a client, each with its guard (platform_admin.md §4.1). */
export function createLifecycle(deps: LifecycleDeps) {
  const { directory, jobs, screens, dataDir, key, platform } = deps;
  const { main } = directory;
  const store = new FileStore(dataDir, Number.MAX_SAFE_INTEGER);

  const waited = (account: Account, days: number, done: string, may: string) => {
    const from = new Date(Date.parse(account.since) + days * 86_400_000).toISOString().slice(0, 10);
    if (dayIn(PLATFORM_ZONE) < from)
      throw new AppError(
        409,
        'bad_state',
        `This client was ${done} on ${dayFirst(account.since)}. It can be ${may} from ${dayFirst(from)}.`,
      );
  };
  const tenantRow = async ({ sub_domain: name }: Pick<Account, 'sub_domain'>, state: 'ready' | 'archived') =>
    (await selectTenants(main, 'sub_domain = $1 and state = $2', [name, state]))[0];
  const madeTenant = async (account: Account): Promise<Tenant> => {
    const tenant = await findTenant(directory, account.sub_domain);
    if (!tenant)
      throw new AppError(
        409,
        'bad_state',
        account.state === 'archived'
          ? 'This client is archived. Restore it first.'
          : 'This client has not been created yet.',
      );
    return tenant;
  };

  /** Queues a long action. @throws AppError 409 while another one is running for the same client */
  async function begin(act: LongAct, { id }: Account, by: number | null, more: object = {}): Promise<number> {
    return main.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`client ${id}`]);
      const [open] = await tx.query<{ name: string }>(
        `select name from public.job where name = any($1) and payload ->> 'client' = $2 and state in ('queued', 'running') limit 1`,
        [NAMES, String(id)],
      );
      if (open)
        throw new AppError(
          409,
          'bad_state',
          `"${TITLES[open.name.slice('client_'.length) as LongAct]}" is still running for this client. Wait until it has ended.`,
        );
      return (await jobs.enqueue(
        'public',
        `client_${act}`,
        { client: String(id), ...more },
        { trigger: 'person', on: tx, ...(by !== null && { by }) },
      ))!;
    });
  }

  /** One action at a time per client, across processes; the lock is released when its process dies. */
  async function alone<T>({ id }: Pick<Account, 'id'>, work: () => Promise<T>): Promise<T> {
    const guard = await main.connect();
    let held = false;
    try {
      await guard.query('select pg_advisory_lock(hashtextextended($1, 0))', [`act on client ${id}`]);
      held = true;
      return await work();
    } finally {
      const released = held && (await guard.query('select pg_advisory_unlock_all()').then(Boolean, () => false));
      guard.release(!released);
    }
  }

  /** Removes all data of a removed client, except its row. Can be repeated. */
  async function removeRemains(subDomain: string, databaseName: string, archiveFile?: string): Promise<void> {
    const schema = schemaName(subDomain);
    const database = await directory.get(databaseName);
    await database.query(`drop schema if exists ${quoted(schema)} cascade`);
    await dropClientRole(database, schema);
    await rm(join(dataDir, 'files', schema), { recursive: true, force: true });
    await removeDrafts(dataDir, schema);
    await removeStamped(join(dataDir, 'archives'), subDomain, '.archive', archiveFile);
    forgetTables();
  }

  async function archive(account: Account, by: number | null): Promise<string> {
    // An interrupted run had reached this point.
    if (account.state === 'archived') return archived(account);
    mayTake(screens, 'pack', account.state);
    const row = await tenantRow(account, 'ready');
    if (!row) throw new Error('This client has no tables to archive.');
    const db = await directory.get(row.database);
    const folder = join(dataDir, 'archives');
    await removeStamped(folder, row.subDomain, '.archive');
    const file = `${row.subDomain}-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}.archive`;
    try {
      const { rows, files, ...written } = await checkedArchive(db, row, join(folder, file));
      const made: Archive = { file, at: new Date().toISOString(), ...written, rows, files };
      // From here on it is archived; its remaining data is removed now, or when the run is resumed.
      await main.transaction(async (tx) => {
        await tx.query(
          `update public.client set state = 'archived', active = false, archive = $2, version = version + 1, updated_at = now() where id = $1`,
          [row.id, JSON.stringify(made)],
        );
        await announce(tx, { kind: 'client' });
        await takeStep(tx, screens, account, 'pack', by);
        await event({ main: tx }, row, by, 'archived', rowsAndFiles(rows, files));
      });
    } catch (error) {
      if ((await tenantRow(account, 'ready')) !== undefined) await rm(join(folder, file), { force: true });
      throw error;
    }
    return archived(account);
  }

  /** Completes the archiving of a client whose archive is recorded. */
  async function archived(account: Account): Promise<string> {
    const { archive: made, database } = await archiveOf(account);
    await removeRemains(account.sub_domain, database, made.file);
    return `${rowsAndFiles(made.rows, made.files)} in ${Math.ceil(made.bytes / 1024)} kB, encrypted.`;
  }

  /**
   * Writes the archive and verifies it, table by table. Rows written concurrently, such as a last sign-out, are
   * included in the next attempt.
   */
  async function checkedArchive(db: Queryable, row: TenantRow, path: string): Promise<Omit<Archive, 'file' | 'at'>> {
    for (let tries = 1; ; tries++) {
      const written = await writeArchive(backupTenant(directory, row.subDomain, dataDir), path, key);
      const { rows, files } = await contentsOf(path, key);
      const other = differences(await countRows(db, row.schema), rows);
      if (other === null) return { ...written, rows, files };
      if (tries === 3) throw new Error(`${other} Nothing was removed.`);
    }
  }

  async function archiveOf(account: Account): Promise<{
    archive: Archive;
    id: number;
    database: string;
    state: 'archived' | 'ready';
  }> {
    const [row] = await main.query<{ id: number; archive: Archive; database: string; state: 'archived' | 'ready' }>(
      'select id, archive, database, state from public.client where sub_domain = $1 and archive is not null',
      [account.sub_domain],
    );
    if (!row) throw new Error('There is no archive of this client.');
    return row;
  }

  async function restore(account: Account, by: number | null): Promise<string> {
    if (account.state === 'active') {
      // An interrupted run had reached this point.
      await removeArchive(account.sub_domain);
      return 'It has been restored.';
    }
    mayTake(screens, 'unpack', account.state);
    const { archive: made, id, database, state } = await archiveOf(account);
    const { file, rows, files } = made;
    let kept: string[] = [];
    if (state === 'archived')
      try {
        ({ kept } = await restoreTenant(directory, await openedArchive(join(dataDir, 'archives', file)), {
          subDomain: account.sub_domain,
          database,
          replace: true,
          dataDir,
          screens: screens(),
          isClean: isCleanHtml,
          expected: rows,
        }));
      } catch (error) {
        // Failures after the restore are left for the next run; before it, everything is rolled back.
        if (await tenantRow(account, 'archived')) await removeRemains(account.sub_domain, database, file);
        throw error;
      }
    await main.transaction(async (tx) => {
      await tx.query(
        'update public.client set active = true, archive = null, version = version + 1, updated_at = now() where id = $1',
        [id],
      );
      await announce(tx, { kind: 'client' });
      await applyAccount(tx, account.id);
      await takeStep(tx, screens, account, 'unpack', by);
      await event({ main: tx }, { id, subDomain: account.sub_domain }, by, 'restored', rowsAndFiles(rows, files));
    });
    forgetTables();
    await removeArchive(account.sub_domain);
    return [`${rowsAndFiles(rows, files)}.`, ...kept].join('\n');
  }

  /** Removes the files from which a client was restored. */
  async function removeArchive(subDomain: string): Promise<void> {
    await removeStamped(join(dataDir, 'archives'), subDomain, '.archive');
    await removeDrafts(dataDir, schemaName(subDomain));
  }

  async function openedArchive(path: string): Promise<Readable> {
    try {
      return await readArchive(path, key);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new Error(`The archive ${basename(path)} is not in ${dirname(path)}. Put it back there and restore again.`);
    }
  }

  async function purge(account: Account, by: number | null, askedBy: number): Promise<string> {
    // An interrupted run had reached this point.
    if (account.state === 'purged') return 'It has been destroyed.';
    mayTake(screens, 'destroy', account.state);
    const { archive: found, id, database } = await archiveOf(account);
    const names = new Map(
      (
        await main.query<{ id: number; name: string }>('select id, name from public.common_user where id = any($1)', [
          [askedBy, by],
        ])
      ).map((row) => [row.id, row.name]),
    );
    const certificate = {
      client: account.name,
      code: account.code,
      sub_domain: account.sub_domain,
      archived_at: found.at,
      purged_at: new Date().toISOString(),
      asked_by: names.get(askedBy) ?? askedBy,
      confirmed_by: names.get(by ?? 0) ?? by,
      tables: Object.keys(found.rows).length,
      rows: total(found.rows),
      files: found.files,
      archive_bytes: found.bytes,
      archive_sha256: found.sha256,
    };
    await removeRemains(account.sub_domain, database);
    await removeExportDrafts(dataDir, account.sub_domain);
    await removeExports(`j.payload ->> 'client' = $1`, String(account.id));
    // Last, and in one transaction: until everything is destroyed, the purge can be resumed.
    await main.transaction(async (tx) => {
      await tx.query(
        `insert into public.client_event (client_id, sub_domain, actor, event, note, certificate) values ($1, $2, $3, 'purged', $4, $5)`,
        [id, account.sub_domain, by, rowsAndFiles(found.rows, found.files), JSON.stringify(certificate)],
      );
      await tx.query('delete from public.client where id = $1', [id]);
      await announce(tx, { kind: 'client' });
      await tx.query('delete from public.job_schedule where schema_name = $1', [schemaName(account.sub_domain)]);
      await tx.query('delete from public.job where schema_name = $1', [schemaName(account.sub_domain)]);
      await takeStep(tx, screens, account, 'destroy', by);
    });
    return `${rowsAndFiles(found.rows, found.files)} destroyed.`;
  }

  /** Removes the files of exports, as far as they exist. @returns their number */
  async function removeExports(which: string, value: unknown): Promise<number> {
    const old = await main.query<{ file: number }>(
      `select f.id as file from public.job j join public.file f on f.id = (j.payload ->> 'file')::bigint where j.name = 'client_export' and ${which}`,
      [value],
    );
    for (const { file } of old) await store.remove(await platform(), file);
    return old.length;
  }

  async function runsOf({ id }: Pick<Account, 'id'>): Promise<LongRun[]> {
    return main.query<LongRun>(
      `select j.id, substr(j.name, 8) as act, j.state, j.created_at as at, j.ms, j.message, j.error, u.name as by, case when j.state = 'done' then f.id end as file
       from public.job j left join public.common_user u on u.id = j.by left join public.file f on f.id = (j.payload ->> 'file')::bigint
       where j.name = any($1) and j.payload ->> 'client' = $2 order by j.id desc limit 20`,
      [NAMES, String(id)],
    );
  }

  const doing: Record<
    LongAct,
    (account: Account, job: { id: number; by: number | null; payload: Record<string, unknown> }) => Promise<string>
  > = {
    archive: (account, { by }) => archive(account, by),
    restore: (account, { by }) => restore(account, by),
    purge: (account, { by, payload }) => purge(account, by, Number(payload.asked_by)),
    async export(account, { id, by }) {
      const tenant = await madeTenant(account);
      // Of an interrupted run.
      await removeExports('j.id = $1', id);
      const { tables, rows, files } = await exportClient({
        tenant,
        screens: screens(),
        dataDir,
        platform: await platform(),
        by,
        keep: (tx, file) =>
          tx.query(`update public.job set payload = payload || jsonb_build_object('file', $2::bigint) where id = $1`, [
            id,
            file,
          ]),
      });
      const words = `${formatNumber(rows)} rows of ${tables} tables, ${files} files`;
      await event(directory, tenant, by, 'exported', words);
      return `${words}.`;
    },
    async demo_removal(account, { by }) {
      const tenant = await madeTenant(account);
      const gone = await removeDemo(tenant, screens());
      await event(directory, tenant, by, 'demo_removed', `${formatNumber(gone)} records`);
      return `${formatNumber(gone)} records removed.`;
    },
  };
  for (const act of Object.keys(doing) as LongAct[])
    jobs.define({
      name: `client_${act}`,
      title: TITLES[act],
      scope: 'platform',
      run: ({ id, payload }) =>
        alone({ id: Number(payload.client) }, async () => {
          const account = await readAccount(main, Number(payload.client));
          if (!account) return 'The client’s record no longer exists.';
          const [row] = await main.query<{ by: number | null }>('select by from public.job where id = $1', [id]);
          return doing[act](account, { id, by: row?.by ?? null, payload });
        }),
    });
  jobs.define({
    name: 'client_leftovers',
    title: 'Remove old exports, release addresses of clients purged a year ago',
    cron: '10 4 * * *',
    scope: 'platform',
    run: async () => {
      const exports = await removeExports('j.created_at < now() - make_interval(days => $1)', EXPORT_DAYS);
      const free = await main.query(
        `update public.client_account a set sub_domain = 'purged-' || a.id, version = version + 1 where a.state = 'purged' and a.sub_domain <> 'purged-' || a.id and a.state_since < (now() at time zone '${PLATFORM_ZONE}')::date - $1::int returning 1`,
        [BLOCKED_DAYS],
      );
      return `${exports} exports removed, ${free.length} addresses released.`;
    },
  });

  return {
    runsOf,
    async archive(account: Account, by: number) {
      mayTake(screens, 'pack', account.state);
      waited(account, ARCHIVE_AFTER_DAYS, 'switched off', 'archived');
      return begin('archive', account, by);
    },
    restore(account: Account, by: number) {
      mayTake(screens, 'unpack', account.state);
      return begin('restore', account, by);
    },
    /**
     * Requests the destruction of a client, or confirms it as the second of two administrators. @returns the run, or
     * null while the second is missing
     */
    async purge(account: Account, by: number, typed: string, second: number | null): Promise<number | null> {
      mayTake(screens, 'destroy', account.state);
      waited(account, PURGE_AFTER_DAYS, 'archived', 'purged');
      if (typed.trim() !== account.sub_domain)
        throw new AppError(422, 'invalid', `Type the sub-domain of the client, ${account.sub_domain}, to purge it.`, {
          field: 'confirm',
        });
      const [asked] = await main.query<{ actor: number; at: string }>(
        `select actor, at from public.client_event where sub_domain = $1 and event = 'purge_asked' and actor <> $2 and at > now() - make_interval(hours => $3)
           and at >= (select state_since from public.client_account where id = $4) order by id desc limit 1`,
        [account.sub_domain, by, CONFIRM_HOURS, account.id],
      );
      const other = second ?? asked?.actor ?? null;
      if (other !== null) return begin('purge', account, by, { asked_by: other });
      const { id } = (await tenantRow(account, 'archived'))!;
      await event(
        directory,
        { id, subDomain: account.sub_domain },
        by,
        'purge_asked',
        `To be confirmed by another administrator within ${CONFIRM_HOURS} hours`,
      );
      return null;
    },
    async discard(account: Account, by: number) {
      mayTake(screens, 'reset', account.state);
      const tenant = await findTenant(directory, account.sub_domain);
      if (tenant && (await hasSessions(tenant)))
        throw new AppError(409, 'bad_state', 'Somebody has signed in to this client already. Switch it off instead.');
      await dropTenant(directory, account.sub_domain);
      forgetTables();
      await rm(join(dataDir, 'files', schemaName(account.sub_domain)), { recursive: true, force: true });
      await event(directory, { id: tenant?.id ?? 0, subDomain: account.sub_domain }, by, 'discarded');
      return takeStep(main, screens, account, 'reset', by);
    },
    async export(account: Account, by: number) {
      await madeTenant(account);
      return begin('export', account, by);
    },
    async removeDemo(account: Account, by: number) {
      const { records, reasons } = await demoState(await madeTenant(account), screens());
      if (records === 0) throw new AppError(409, 'bad_state', 'This client has no demo data.');
      if (reasons.length > 0)
        throw new AppError(409, 'in_use', `The demo data is in use. ${reasons.join(' ')}`, { extra: { reasons } });
      return begin('demo_removal', account, by);
    },
  };
}

const NAMES = Object.keys(TITLES).map((act) => `client_${act}`);

/** Whether somebody has ever signed in; false if an earlier, interrupted removal has dropped the tables. */
async function hasSessions({ db: { owner }, schema }: Tenant): Promise<boolean> {
  const table = `${quoted(schema)}.session`;
  const [found] = await owner.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  return found!.there && (await owner.query(`select 1 from ${table} limit 1`)).length > 0;
}

/** Rows of every table of a schema. */
async function countRows(on: Queryable, schema: string): Promise<Record<string, number>> {
  const tables = await on.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r' order by 1`,
    [schema],
  );
  const rows =
    tables.length === 0
      ? []
      : await on.query<{ name: string; n: number }>(
          tables
            .map(({ name }) => `select '${name}' as name, count(*)::int as n from ${quoted(schema)}.${quoted(name)}`)
            .join(' union all '),
        );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

/** The tables whose rows differ from the archive; null = none. */
function differences(live: Record<string, number>, kept: Record<string, number>): string | null {
  const other = [...new Set([...Object.keys(live), ...Object.keys(kept)])].filter(
    (table) => live[table] !== kept[table],
  );
  return other.length === 0
    ? null
    : `The archive and the tables differ: ${other
        .slice(0, 5)
        .map((table) => `${table} ${kept[table] ?? 0} of ${live[table] ?? 0}`)
        .join(', ')}.`;
}

const total = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, count) => sum + count, 0);
const rowsAndFiles = (rows: Record<string, number>, files: number): string =>
  `${formatNumber(total(rows))} rows of ${Object.keys(rows).length} tables, ${files} files`;
