import { productScreen } from '../../../descriptor/overlay.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import type { ServerPresence } from '../../db/server_presence.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { PlannedWrites } from './added_by_acts.ts';
import type { CellError } from './cell_error.ts';
import { packScreens } from './packed_screens.ts';
import { RunProcesses } from './run_processes.ts';
import type { RunningTask } from './run_processes.ts';
import { personOf } from './worker_task.ts';
import type { AfterImport, CheckedRow, RowToCheck, WorkerTask } from './worker_task.ts';

export interface ExcelRunsDeps {
  screens: (session: Session) => Map<string, Screen>;
  /** An import has ended: records of the type may have changed. */
  imported(session: Session, type: string, runId: number): void;
  /** An export has ended. */
  exported?(session: Session, screen: Screen, runId: number): void;
  /** The type's own checks of rows: run here, because a worker knows the person's rights only in part. */
  checkRows(session: Session, type: string, rows: RowToCheck[]): Promise<CheckedRow[] | null>;
  /** Writes an import whose records are added one by one with their side effects, all or nothing. @throws AppError */
  openRecords(session: Session, type: string, runId: number, writes: PlannedWrites): Promise<void>;
  /** The subscriptions to imported records of a type. */
  follows(screen: Screen): AfterImport;
  /** Identifies the server of a run, to tell whether it is still running. */
  presence: ServerPresence;
  files: FileStore;
  dataDir: string;
  /** The maximum number of rows of one import and one export of a client. */
  maxRows(session: Session): Promise<{ import: number; export: number }>;
  log: { error(details: object, message: string): void };
}

/** Concurrent tasks in one process: a third one waits, so that imports do not slow down the lists. */
const AT_ONCE = 2;
/** Checked imports that keep their findings for the commit. Others lose them; their commit checks again. */
const KEPT_FINDINGS = 2;
const KEPT_FINDINGS_MS = 10 * 60_000;
/** The states of a run that has not ended. */
export const OPEN_STATES = ['reading', 'columns', 'checking', 'checked', 'writing', 'running'];

/** The messages of a run to the server. */
interface FromRun {
  fault?: string;
  waits?: boolean;
  rows?: RowToCheck[];
  open?: PlannedWrites;
}

/**
 * Manages the processes of imports and exports: how many run at once, which checked imports are waiting, and which
 * findings are kept.
 */
export class RunTasks {
  readonly #deps: ExcelRunsDeps;
  readonly #processes = new RunProcesses();
  readonly #running = new Map<string, RunningTask>();
  /** Checked imports that the person has not yet confirmed or cancelled, the oldest first. */
  readonly #checked = new Map<string, NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
  /** The product's screens, by the client's screens: one map each, so that it is serialised once. */
  readonly #ofProduct = new WeakMap<ReadonlyMap<string, Screen>, ReadonlyMap<string, Screen>>();
  #busy = 0;
  #closed = false;

  constructor(deps: ExcelRunsDeps) {
    this.#deps = deps;
  }

  /** A workbook is being uploaded: its reader starts in the meantime. */
  expect(session: Session, screen: Screen): void {
    if (this.#busy < AT_ONCE) this.#processes.expect();
    void packScreens(this.#screensFor(session, screen));
  }

  /** Lets a checked import write its findings. @returns false if they are gone */
  commit(key: string): boolean {
    const running = this.#running.get(key);
    if (!running) return false;
    this.#kept(key);
    running.post('commit');
    return true;
  }

  /** Ends a task, if this server runs it. */
  cancel(key: string): void {
    this.#running.get(key)?.post('cancel');
  }

  /** A file with a column for the errors of its rows; null = it cannot be written again. */
  async errorSheet(of: {
    path: string;
    sheet: string;
    errors: CellError[];
  }): Promise<{ sheet: Uint8Array | null; fault: string | undefined }> {
    const made: { sheet: Uint8Array | null } = { sheet: null };
    const { ended } = this.#processes.start({ kind: 'error_sheet', ...of }, ({ bytes }: { bytes: Uint8Array }) => {
      made.sheet = bytes;
    });
    const { fault } = await ended;
    return { ...made, fault };
  }

  /** The screens for a task on records of this one. */
  #screensFor(session: Session, screen: Screen): ReadonlyMap<string, Screen> {
    const screens = this.#deps.screens(session);
    // Settings are checked against the product's screens, which a worker cannot derive from a client's screens.
    if (!screen.overlay) return screens;
    let known = this.#ofProduct.get(screens);
    if (!known)
      this.#ofProduct.set(screens, (known = new Map([...screens].map(([name, one]) => [name, productScreen(one)]))));
    return known;
  }

  /** A task as its process receives it, without the parts specific to its kind. */
  async task(session: Session, screen: Screen, runId: number, kind: WorkerTask['kind']): Promise<WorkerTask> {
    const { db, ...tenant } = session.tenant;
    const screens = this.#screensFor(session, screen);
    return {
      kind,
      runId,
      type: screen.name,
      screens: await packScreens(screens),
      databaseUrl: db.url,
      dataDir: this.#deps.dataDir,
      tenant,
      person: personOf(session, screens.values()),
    };
  }

  /** Runs a task in a separate process, when one is free. */
  async work(actor: Session, task: WorkerTask): Promise<void> {
    const session: Session = task.kind === 'import' ? { ...actor, origin: 'import' } : actor;
    if (this.#busy >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy++;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.#busy--;
      this.#waiting.shift()?.();
    };
    const key = `${task.kind} ${task.tenant.schema} ${task.runId}`;
    // A worker that died (out of memory, for instance) cannot report it.
    const fail = () =>
      session.tenant.db.query(
        `update "${task.tenant.schema}"."${task.kind}_run" set state = 'failed', message = 'The run stopped because of a fault of ours. Please try again.' where id = $1 and state = any($2)`,
        [task.runId, OPEN_STATES],
      );
    const running = this.#processes.start(task, (message: FromRun) => {
      if (message.rows)
        this.#deps.checkRows(session, task.type, message.rows).then(
          (checked) => running.post({ checked }),
          (error: unknown) => {
            this.#deps.log.error({ err: error, run: key }, 'The rows of an import could not be checked');
            running.stop();
          },
        );
      if (message.open)
        this.#deps.openRecords(session, task.type, task.runId, message.open).then(
          () => running.post({ opened: null }),
          (error: unknown) => {
            if (error instanceof AppError && error.status < 500) return running.post({ opened: error.message });
            this.#deps.log.error({ err: error, run: key }, 'The records of an import could not be added');
            running.post({
              opened: 'The import stopped because of an internal error. Nothing was saved. Please try again.',
            });
          },
        );
      if (message.fault) this.#deps.log.error({ fault: message.fault, run: key }, 'a run failed');
      // A checked import waits for a person: it must not block others.
      if (message.waits) {
        leave();
        this.#keep(key);
      }
    });
    this.#running.set(key, running);
    try {
      const { fault } = await running.ended;
      if (fault !== undefined && !this.#closed) {
        this.#deps.log.error({ fault, run: key }, 'a run failed');
        await fail();
      }
    } finally {
      this.#kept(key);
      if (this.#running.get(key) === running) this.#running.delete(key);
      leave();
      if (task.kind === 'import') this.#deps.imported(session, task.type, task.runId);
    }
  }

  /** The findings of a checked import are kept for the commit, for a while and unless others need the memory. */
  #keep(key: string): void {
    this.#checked.set(key, setTimeout(() => this.forget(key), KEPT_FINDINGS_MS).unref());
    for (const oldest of this.#checked.keys()) {
      if (this.#checked.size <= KEPT_FINDINGS) break;
      this.forget(oldest);
    }
  }

  /** This time-out no longer matters: the import continues or has ended. */
  #kept(key: string): void {
    clearTimeout(this.#checked.get(key));
    this.#checked.delete(key);
  }

  /** The findings of a checked import are no longer needed. */
  forget(key: string): void {
    this.#kept(key);
    this.#running.get(key)?.post('forget');
    // From now on its commit will not find the findings.
    this.#running.delete(key);
  }

  /** Ends all processes when the server shuts down. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const key of this.#checked.keys()) this.#kept(key);
    await this.#processes.close();
  }
}
