import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { JobPlan } from '../../../descriptor/jobs.ts';
import { JOBS_FILE } from '../../../descriptor/jobs.ts';
import type { Problem, Screen } from '../../../descriptor/types.ts';
import type { Directory } from '../../db/directory.ts';
import { loadScreens } from './load.ts';
import type { Bus } from '../../services/live/bus.ts';
import { putInForce } from './in_force.ts';
import type { ScreenStore } from './screen_store.ts';

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LiveDescriptorDeps {
  schemasDir: string;
  directory: Directory;
  store: ScreenStore;
  bus: Bus;
  log: Log;
}

export interface LiveDescriptors {
  /** Reads the files again and puts the valid ones in force; one run at a time. */
  reload(): Promise<void>;
  /** Called with the names of screens that changed, were added or removed, and with the number of problems. */
  onChange(listener: (names: string[], problems: number) => void): () => void;
  watch(): void;
  close(): Promise<void>;
}

const DEBOUNCE_MS = 100;
const RETRY_MS = 1_000;
/** Some file systems do not report changes (network shares, containers), so the modification times are polled too. */
const LOOK_EVERY_MS = 2_000;

/** Reloads descriptors while the server runs. For an invalid file, its previous version stays in force. */
export function createLiveDescriptors({ schemasDir, directory, store, bus, log }: LiveDescriptorDeps): LiveDescriptors {
  const listeners = new Set<(names: string[], problems: number) => void>();
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  let again = false;
  let debounce: NodeJS.Timeout | undefined;
  let look: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let seen = '';

  async function apply(): Promise<void> {
    const before = store.screens();
    const loaded = await loadScreens(schemasDir).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      return {
        screens: before,
        reports: store.reports(),
        dashboards: store.dashboards(),
        jobs: store.jobs(),
        problems: [{ file: join(schemasDir, 'types.json'), line: 1, path: '$', message }] satisfies Problem[],
      };
    });
    const wrong = new Set(loaded.problems.map(({ file }) => screenName(file)));
    const reports = keepingWrong(loaded.reports, store.reports(), wrong);
    const dashboards = keepingWrong(loaded.dashboards, store.dashboards(), wrong);

    const isWrong = (plan: JobPlan) => wrong.has(JOBS_FILE) && !loaded.jobs.some(({ name }) => name === plan.name);
    const jobs = [...loaded.jobs, ...store.jobs().filter(isWrong)];

    // Refusals remain until they are resolved, even if nothing else changes.
    const settled = differences(before, loaded.screens).length === 0 && store.problems().length === 0;
    const { screens: next, problems } = settled
      ? { screens: before, problems: loaded.problems }
      : await putInForce({ directory, schemasDir, loaded, before, log: (text) => log.info({}, text) });
    const inForce = [
      ...differences(before, next),
      ...changed(store.reports(), reports),
      ...changed(store.dashboards(), dashboards),
    ];
    if (JSON.stringify(store.jobs()) !== JSON.stringify(jobs)) inForce.push(JOBS_FILE);
    const knownProblems = JSON.stringify(store.problems());
    if (inForce.length === 0 && JSON.stringify(problems) === knownProblems) return;
    store.replace({ screens: next, problems, reports, dashboards, jobs });
    for (const problem of problems) log.warn({ ...problem }, 'A descriptor was refused.');
    if (inForce.length > 0) {
      log.info({ screens: inForce }, 'Descriptors are live.');
      await bus.publish(directory.main, { kind: 'screens', names: inForce.slice(0, 200) });
    }
    for (const listener of listeners) listener(inForce, problems.length);
  }

  function reload(): Promise<void> {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await apply().catch((error: unknown) => {
          log.error({ err: error }, 'Changed descriptors could not be put in force; tried again in a moment.');
          // The database was unavailable, or a client was just being created or removed: the change still applies.
          clearTimeout(retry);
          if (!stop.signal.aborted) retry = setTimeout(() => void reload(), RETRY_MS).unref();
        });
      } while (again);
    })().finally(() => {
      running = null;
    });
    return running;
  }

  /** Names, times and sizes of the files, to detect changes. */
  async function glance(): Promise<string> {
    const entries = await readdir(schemasDir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && /\.(json|sql)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    const parts = await Promise.all(
      files.map(async (file) =>
        stat(file).then(
          ({ mtimeMs, size }) => `${file} ${mtimeMs} ${size}`,
          () => '',
        ),
      ),
    );
    return parts.sort().join('\n');
  }

  return {
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch() {
      const soon = () => {
        clearTimeout(debounce);
        debounce = setTimeout(() => void reload(), DEBOUNCE_MS);
      };
      try {
        watch(schemasDir, { recursive: true, signal: stop.signal }, soon).on('error', (error) => {
          if (!stop.signal.aborted)
            log.warn({ err: error }, 'The folder of descriptors cannot be watched; it is looked at every few seconds.');
        });
      } catch (error) {
        log.warn({ err: error }, 'The folder of descriptors cannot be watched; it is looked at every few seconds.');
      }
      const lookAgain = () => {
        look = setTimeout(() => {
          glance()
            .then((now) => {
              if (seen !== '' && now !== seen) soon();
              seen = now;
            })
            .catch(() => undefined)
            .finally(() => {
              if (!stop.signal.aborted) lookAgain();
            });
        }, LOOK_EVERY_MS).unref();
      };
      // The watcher needs a moment to start: changes until then are detected by comparison with the current files.
      glance()
        .then((now) => {
          seen ||= now;
        })
        .catch(() => undefined);
      lookAgain();
      // Another process saw a change that this one may have missed.
      bus.on((message) => {
        if (message.kind === 'screens') soon();
      });
    },
    async close() {
      stop.abort();
      clearTimeout(debounce);
      clearTimeout(look);
      clearTimeout(retry);
      await running;
    },
  };
}

function screenName(file: string): string {
  return basename(file, '.json');
}

/** The valid descriptors and, for invalid files, their previous version, by name. */
function keepingWrong<T>(
  right: ReadonlyMap<string, T>,
  before: ReadonlyMap<string, T>,
  wrong: ReadonlySet<string>,
): Map<string, T> {
  const kept = [...before].filter(([name]) => !right.has(name) && wrong.has(name));
  return new Map([...right, ...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function changed(before: ReadonlyMap<string, object>, after: ReadonlyMap<string, object>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)),
  );
}

/** Names of screens that differ between two sets. */
function differences(before: Map<string, Screen>, after: Map<string, Screen>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name)?.hash !== after.get(name)?.hash).sort();
}
