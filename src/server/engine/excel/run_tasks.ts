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
  /** An import has ended: records of the type may be other than before. */
  imported(session: Session, type: string, runId: number): void;
  /** An export has ended. */
  exported?(session: Session, screen: Screen, runId: number): void;
  /** What the type itself says of rows: asked here, since a worker knows the person's rights only in part. */
  checkRows(session: Session, type: string, rows: RowToCheck[]): Promise<CheckedRow[] | null>;
  /** Writes an import whose records are added by acts, all or nothing. @throws AppError */
  openRecords(session: Session, type: string, runId: number, writes: PlannedWrites): Promise<void>;
  /** What others make of records of a type that are imported. */
  follows(screen: Screen): AfterImport;
  /** By which a run knows whether the server that does it still runs. */
  presence: ServerPresence;
  files: FileStore;
  dataDir: string;
  /** Most rows of one import and of one export of a client. */
  maxRows(session: Session): Promise<{ import: number; export: number }>;
  log: { error(details: object, message: string): void };
}

/** Tasks at work at once in one process: a third waits, so that imports cannot take the machine from the lists. */
const AT_ONCE = 2;
/** Checked imports that keep their findings for the commit. The findings of others go; their commit checks again. */
const KEPT_FINDINGS = 2;
const KEPT_FINDINGS_MS = 10 * 60_000;
/** States in which a run has not ended. */
export const OPEN_STATES = ['reading', 'columns', 'checking', 'checked', 'writing', 'running'];

/** What a run says to the server. */
interface FromRun {
  fault?: string;
  waits?: boolean;
  rows?: RowToCheck[];
  open?: PlannedWrites;
}

/** The processes of imports and exports: how many work at once, which checked imports wait, and what of them is kept. */
export class RunTasks {
  readonly #deps: ExcelRunsDeps;
  readonly #processes = new RunProcesses();
  readonly #running = new Map<string, RunningTask>();
  /** Checked imports that a person has not confirmed or cancelled yet, the oldest first. */
  readonly #checked = new Map<string, NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
  /** By a client's screens, what the product has of them: one map for each, so that it is packed once. */
  readonly #ofProduct = new WeakMap<ReadonlyMap<string, Screen>, ReadonlyMap<string, Screen>>();
  #busy = 0;
  #closed = false;

  constructor(deps: ExcelRunsDeps) {
    this.#deps = deps;
  }

  /** A workbook is being uploaded: what reads it gets ready meanwhile. */
  expect(session: Session, screen: Screen): void {
    if (this.#busy < AT_ONCE) this.#processes.expect();
    void packScreens(this.#screensFor(session, screen));
  }

  /** Has a checked import write what it found. @returns false when its findings are gone */
  commit(key: string): boolean {
    const running = this.#running.get(key);
    if (!running) return false;
    this.#kept(key);
    running.post('commit');
    return true;
  }

  /** Ends a task, if this server does it. */
  cancel(key: string): void {
    this.#running.get(key)?.post('cancel');
  }

  /** A file with a column that says what is wrong in its rows; null = it cannot be written again. */
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

  /** The screens that a task on records of this one works with. */
  #screensFor(session: Session, screen: Screen): ReadonlyMap<string, Screen> {
    const screens = this.#deps.screens(session);
    // Settings are checked against what the product has; a worker does not know it of a client's screens.
    if (!screen.overlay) return screens;
    let known = this.#ofProduct.get(screens);
    if (!known)
      this.#ofProduct.set(screens, (known = new Map([...screens].map(([name, one]) => [name, productScreen(one)]))));
    return known;
  }

  /** A task as its process receives it, without what only its kind has. */
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

  /** Does a task in a process of its own, when there is room. */
  async work(session: Session, task: WorkerTask): Promise<void> {
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
    // A worker that died (out of memory, say) cannot say so itself.
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
      // A checked import waits for a person: it must not hold a place that others want.
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

  /** The findings of a checked import stay for the commit, for a while and unless others need the room. */
  #keep(key: string): void {
    this.#checked.set(key, setTimeout(() => this.forget(key), KEPT_FINDINGS_MS).unref());
    for (const oldest of this.#checked.keys()) {
      if (this.#checked.size <= KEPT_FINDINGS) break;
      this.forget(oldest);
    }
  }

  /** Nobody counts on this time any longer: its import goes on, or has ended. */
  #kept(key: string): void {
    clearTimeout(this.#checked.get(key));
    this.#checked.delete(key);
  }

  /** The findings of a checked import are of no use any longer. */
  forget(key: string): void {
    this.#kept(key);
    this.#running.get(key)?.post('forget');
    // From now on its commit finds nobody who knows the findings.
    this.#running.delete(key);
  }

  /** Ends all processes, for the shutdown of the server. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const key of this.#checked.keys()) this.#kept(key);
    await this.#processes.close();
  }
}
