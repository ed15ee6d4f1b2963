import { isConnectionLoss } from '../../db/pool.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { constraintName } from '../../db/names.ts';
import { completeEntries } from '../../db/search_entries.ts';
import { ensureSearchIndex, WORTHWHILE_ROWS } from '../../db/search_index.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Screen } from '../../../descriptor/types.ts';

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface MaintenanceDeps {
  directory: Directory;
  screens: () => ReadonlyMap<string, Screen>;
  log: Log;
  /** The number of rows from which a table gets its search index. */
  threshold?: number;
}

export interface Maintenance {
  /**
   * Maintains all tenants once, one after the other; returns the names of the created indexes. Does nothing if another
   * process is doing it.
   */
  run(): Promise<string[]>;
  /** Search entries a moment after the start; everything some minutes later, then every six hours. */
  start(): void;
  /** Starts nothing further; an index being built is cancelled. */
  close(): Promise<void>;
}

const SEARCH_MS = 1_000;
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 6 * 3_600_000;

/** Maintenance of growing tables: the index for 'contains' searches, and the entries of the global search. */
export function createMaintenance({
  directory,
  screens,
  log,
  threshold = WORTHWHILE_ROWS,
}: MaintenanceDeps): Maintenance {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<string[]> | null = null;
  let stopped = false;
  const stop = new AbortController();

  async function work(searchOnly: boolean): Promise<string[]> {
    const made: string[] = [];
    // The lock belongs to its connection: it is released when the process dies. Outside a transaction, which would
    // block building the index.
    const guard = await directory.main.connect();
    let broken = false;
    try {
      const key = `hashtextextended('mainstay:maintenance', 0)`;
      const { rows } = await guard.query<{ mine: boolean }>(`select pg_try_advisory_lock(${key}) as mine`);
      if (!rows[0]?.mine) return made;
      try {
        await lookAfter('public', () => Promise.resolve({ db: directory.main, schema: 'public' }), made, true);
        for (const row of await directory.tenants()) {
          if (stopped) break;
          await lookAfter(row.schema, () => openTenant(directory, row), made, searchOnly);
        }
      } finally {
        await guard.query(`select pg_advisory_unlock(${key})`);
      }
    } catch (error) {
      broken = true;
      throw error;
    } finally {
      guard.release(broken);
    }
    return made;
  }

  async function lookAfter(
    schema: string,
    open: () => Promise<Pick<Tenant, 'db' | 'schema'>>,
    made: string[],
    searchOnly: boolean,
  ): Promise<void> {
    try {
      const tenant = await open();
      const written = await completeEntries(tenant.db, schema, screens(), stop.signal);
      if (written > 0) log.info({ schema, written }, 'Search entries were completed.');
      if (searchOnly) return;
      // One statement per tenant: nearly all of them have no large table.
      const large = await tenant.db.query<{ name: string }>(
        `select c.relname as name from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' and c.reltuples >= $2
         order by c.relname`,
        [`"${schema}"`, threshold],
      );
      for (const { name } of large) {
        const screen = screens().get(name);
        if (!screen || stopped) continue;
        const from = performance.now();
        if (!(await ensureSearchIndex(tenant, screen, { threshold, signal: stop.signal }))) continue;
        made.push(`${schema}.${constraintName(name, [], 'search')}`);
        log.info({ schema, screen: name, ms: Math.round(performance.now() - from) }, 'A search index was created.');
      }
    } catch (error) {
      // A failing tenant does not affect the next one; without a database nothing can continue.
      if (stopped) return;
      if (isConnectionLoss(error) || isConnectionLoss((error as Error).cause)) throw error;
      log.warn({ schema, err: error }, 'A search index could not be created.');
    }
  }

  function run(searchOnly = false): Promise<string[]> {
    running ??= work(searchOnly).finally(() => {
      running = null;
    });
    return running;
  }

  function after(ms: number, searchOnly = false): void {
    timer = setTimeout(() => {
      run(searchOnly)
        .catch((error: unknown) => log.warn({ err: error }, 'Maintenance could not be done.'))
        .finally(() => {
          if (!stopped) after(searchOnly ? FIRST_MS : EVERY_MS);
        });
    }, ms).unref();
  }

  return {
    run: () => run(),
    start: () => after(SEARCH_MS, true),
    async close() {
      stopped = true;
      clearTimeout(timer);
      stop.abort();
      await running?.catch(() => undefined);
    },
  };
}
