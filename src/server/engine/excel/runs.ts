import { DateTime } from 'luxon';
import { productScreen } from '../../../descriptor/overlay.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { formatDate } from '../../../descriptor/format.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { peopleTable } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import { checkFields, checkHeadings, noSuchSheet } from './column_choice.ts';
import type { FoundSheet } from './found_columns.ts';
import type { CellError } from './cell_error.ts';
import { forgetColumns, rememberColumns, rememberedColumns } from './remembered_columns.ts';
import { importFields } from './sheet_columns.ts';
import type { ColumnChoice } from './sheet_columns.ts';
import { packScreens } from './packed_screens.ts';
import { RunProcesses } from './run_processes.ts';
import type { RunningTask } from './run_processes.ts';
import type { ServerPresence } from '../../db/server_presence.ts';
import type { PlannedWrites } from './added_by_acts.ts';
import { personOf } from './worker_task.ts';
import type { AfterImport, CheckedRow, ColumnWish, RowToCheck, WorkerTask } from './worker_task.ts';

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

export interface ImportRun {
  id: number;
  type: string;
  state: string;
  mode: 'all_or_nothing' | 'good_rows';
  done: number;
  total: number | null;
  insert: number;
  update: number;
  unchanged: number;
  error_count: number;
  errors: CellError[];
  /** What the person should know of the file beside its errors. */
  notices: string[];
  /** What stands in the file and what of it goes where, once it is read. */
  columns: (FoundSheet & { remembered: boolean; fields: { name: string; title: string; required: boolean }[] }) | null;
  message: string | null;
  /** The same file was imported before: when, and by whom. */
  before: { at: string; by: string } | null;
}

/** How a file is to be imported. */
export interface ImportWish {
  mode: ImportRun['mode'];
  sheet?: string | undefined;
  /** What is said of the columns; without it their heads say where they go. */
  choices?: ColumnChoice[] | undefined;
  /** Whether the person is asked where headings are not clear. */
  ask: boolean;
}

const importKey = (schema: string, id: number) => `import ${schema} ${id}`;

/** Tasks at work at once in one process: a third waits, so that imports cannot take the machine from the lists. */
const AT_ONCE = 2;
/** Checked imports that keep their findings for the commit. The findings of others go; their commit checks again. */
const KEPT_FINDINGS = 2;
const KEPT_FINDINGS_MS = 10 * 60_000;
const OPEN_STATES = ['reading', 'columns', 'checking', 'checked', 'writing', 'running'];

/** What a run says to the server. */
interface FromRun {
  fault?: string;
  waits?: boolean;
  rows?: RowToCheck[];
  open?: PlannedWrites;
}

/**
 * Imports and exports: started here, done in processes of their own, their state kept in the tenant's
 * `import_run` and `export_run`, so that any process can tell, cancel or commit.
 */
export class ExcelRuns {
  readonly #deps: ExcelRunsDeps;
  readonly #processes = new RunProcesses();
  readonly #running = new Map<string, RunningTask>();
  /** Checked imports that wait for a person's word, the longest waiting first. */
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
  expectImport(session: Session, screen: Screen): void {
    if (this.#busy < AT_ONCE) this.#processes.expect();
    void packScreens(this.#screensFor(session, screen));
  }

  /** Starts the dry run of an uploaded workbook. Answers the run's id at once. */
  async startImport(session: Session, screen: Screen, fileId: number, wish: ImportWish): Promise<number> {
    const { db, schema } = session.tenant;
    const { mode, choices } = wish;
    const columns: ColumnWish = choices
      ? { sheet: wish.sheet, choices, ask: 'never' }
      : {
          sheet: wish.sheet,
          choices: wish.ask ? await this.#remembered(session, screen) : [],
          remembered: true,
          ask: wish.ask ? 'when_open' : 'never',
        };
    const [row] = await db.query<{ id: number }>(
      `insert into "${schema}"."import_run" (record_type, entity_id, mode, state, file_id, by, server, choice) values ($1, $2, $3, 'reading', $4, $5, $6, $7) returning id`,
      [
        screen.name,
        session.entityId,
        mode,
        fileId,
        session.userId,
        await this.#deps.presence.number(),
        JSON.stringify(columns),
      ],
    );
    await this.#import(session, screen, row!.id, fileId, mode, columns);
    return row!.id;
  }

  /** What the person chose before, of fields that can be imported still. */
  async #remembered(session: Session, screen: Screen): Promise<ColumnChoice[]> {
    const fields = new Set(importFields(screen).map(({ name }) => name));
    return (await rememberedColumns(session.tenant.db, session, screen.name)).filter(
      ({ field }) => field === null || fields.has(field),
    );
  }

  /**
   * What the person says of the columns of a file that is not written yet: it is read anew. Without `choices` the person
   * is asked about the columns, of another sheet or without what is remembered.
   * @throws AppError 409 when it is too late or for another company, 422 that names the heading
   */
  async chooseColumns(
    session: Session,
    screen: Screen,
    id: number,
    { sheet, choices, reset }: { sheet?: string | undefined; choices?: ColumnChoice[] | undefined; reset: boolean },
  ): Promise<void> {
    const { db, schema } = session.tenant;
    const run = await this.runInItsCompany(session, id);
    if (!['columns', 'checked'].includes(run.state) || !run.columns)
      throw new AppError(409, 'bad_state', `This import is ${run.state}: its columns cannot be chosen now.`);
    const found = run.columns;
    if (sheet !== undefined && !found.sheets.includes(sheet)) throw noSuchSheet(sheet);
    const read = sheet ?? (found.sheets.length > 1 ? found.sheet : undefined);
    if (choices) {
      checkFields(screen, choices);
      if (read === undefined || read === found.sheet)
        checkHeadings(
          screen,
          found.columns.map(({ heading }) => heading),
          choices,
        );
    }
    const columns: ColumnWish = choices
      ? { sheet: read, choices, ask: 'never' }
      : {
          sheet: read,
          choices: reset ? [] : await this.#remembered(session, screen),
          remembered: true,
          ask: 'always',
        };
    const server = await this.#deps.presence.number();
    const fileId = await db.transaction(async (tx) => {
      const [row] = await tx.query<{ file_id: number }>(
        `update "${schema}"."import_run" set state = 'reading', done = 0, total = null, counts = null, errors = null, notices = null, choice = $2, server = $3
         where id = $1 and state in ('columns', 'checked') returning file_id`,
        [id, JSON.stringify(columns), server],
      );
      if (!row) throw new AppError(409, 'bad_state', 'This import has gone on: its columns cannot be chosen now.');
      if (reset) await forgetColumns(tx, session, screen.name);
      if (choices) await rememberColumns(tx, session, screen.name, choices);
      return row.file_id;
    });
    this.#forget(importKey(schema, id));
    await this.#import(session, screen, id, fileId, run.mode, columns);
  }

  async #import(
    session: Session,
    screen: Screen,
    runId: number,
    fileId: number,
    mode: ImportRun['mode'],
    columns: ColumnWish,
    commit = false,
  ): Promise<void> {
    const { path, file } = await this.#deps.files.open(session.tenant, fileId);
    const max = await this.#deps.maxRows(session);
    void this.#work(session, {
      ...(await this.#task(session, screen, runId, 'import')),
      import: {
        path,
        name: file.name,
        fileId,
        mode,
        maxRows: max.import,
        commit,
        columns,
        follows: this.#deps.follows(screen),
      },
    });
  }

  /** Where an import stands. @throws AppError 404 for another person's run. */
  async importRun(session: Session, id: number): Promise<ImportRun> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<
      Omit<ImportRun, 'insert' | 'update' | 'unchanged' | 'error_count' | 'columns'> & {
        counts: Record<string, number> | null;
        columns: FoundSheet | null;
        remembered: boolean;
      }
    >(
      `select r.id, r.record_type as type, r.state, r.mode, r.done, r.total, r.counts, coalesce(r.errors, '[]') as errors, coalesce(r.notices, '[]') as notices, r.columns, coalesce((r.choice->>'remembered')::boolean, false) as remembered, r.message,
         (select json_build_object('at', o.at, 'by', coalesce(u.name, '')) from "${schema}"."import_run" o join "${schema}"."file" g on g.id = o.file_id left join ${peopleTable(schema)} u on u.id = o.by
          where o.id <> r.id and o.state = 'imported' and o.record_type = r.record_type and o.entity_id is not distinct from r.entity_id and g.sha256 = f.sha256 order by o.id desc limit 1) as before
       from "${schema}"."import_run" r left join "${schema}"."file" f on f.id = r.file_id where r.id = $1 and r.by = $2`,
      [id, session.userId],
    );
    if (!row) throw notFound();
    const { counts, columns, remembered, ...rest } = row;
    const screen = this.#deps.screens(session).get(row.type);
    return {
      ...rest,
      columns:
        columns && screen
          ? {
              ...columns,
              remembered: remembered && columns.columns.some(({ state }) => state === 'chosen'),
              fields: importFields(screen).map(({ name, title, required, default: value }) => ({
                name,
                title,
                required: required === true && value === undefined,
              })),
            }
          : null,
      insert: counts?.insert ?? 0,
      update: counts?.update ?? 0,
      unchanged: counts?.unchanged ?? 0,
      error_count: counts?.error_count ?? 0,
    };
  }

  /**
   * A run that is to be written or undone: rows were checked, and the person's rights looked at, in one company, so that
   * it goes on in that company alone. @throws AppError 404, 409
   */
  async runInItsCompany(session: Session, id: number): Promise<ImportRun> {
    const { db, schema } = session.tenant;
    const run = await this.importRun(session, id);
    const [row] = await db.query<{ entity_id: number | null }>(
      `select entity_id from "${schema}"."import_run" where id = $1`,
      [id],
    );
    const company = row?.entity_id ?? null;
    if (company === session.entityId) return run;
    if (company === null)
      throw new AppError(409, 'bad_state', 'This file was uploaded before a company was chosen. Upload it again.');
    const [entity] = await db.query<{ name: string }>(`select name from "${schema}"."entity" where id = $1`, [company]);
    throw new AppError(
      409,
      'bad_state',
      `This file was uploaded for ${entity?.name ?? 'another company'}. Change to that company, or upload the file again in this one.`,
    );
  }

  /** Writes what the dry run found; a file that was imported before only if `again` says so. @throws AppError 409 when the run is not waiting for it. */
  async commit(session: Session, id: number, again: boolean): Promise<void> {
    const { db, schema } = session.tenant;
    const run = await this.runInItsCompany(session, id);
    if (run.before && !again) {
      const at = DateTime.fromISO(new Date(run.before.at).toISOString(), { zone: placeOf(session).timezone }).toFormat(
        'dd-MM-yyyy HH:mm',
      );
      throw new AppError(
        409,
        'bad_state',
        `This file was imported on ${at} by ${run.before.by}. Say that it is to be imported again.`,
        { extra: { before: run.before } },
      );
    }
    if (run.state === 'columns')
      throw new AppError(409, 'bad_state', 'Say first what the columns of this file bring: it is not checked yet.');
    if (run.mode === 'all_or_nothing' && run.error_count > 0)
      throw new AppError(
        422,
        'invalid',
        'Correct the rows with errors and upload the file again, or import the good rows only.',
      );
    const server = await this.#deps.presence.number();
    const [row] = await db.query<{ file_id: number; checked_by: number | null; choice: ColumnWish }>(
      `update "${schema}"."import_run" r set state = 'writing', done = 0, server = $2 from (select id, server from "${schema}"."import_run" where id = $1 for update) o
       where r.id = o.id and r.state = 'checked' returning r.file_id, o.server as checked_by, r.choice`,
      [id, server],
    );
    if (!row) throw new AppError(409, 'bad_state', `This import is ${run.state}, so there is nothing to save.`);
    const key = importKey(schema, id);
    // Another server may have read the file since with other columns: then what this one found is not what was seen.
    if (row.checked_by !== server) this.#forget(key);
    const running = this.#running.get(key);
    if (running) {
      this.#kept(key);
      running.post('commit');
    } else {
      // Its findings are gone (another process, a restart, or too many of them): the file is checked again and then written.
      const screen = this.#deps.screens(session).get(run.type);
      if (!screen) throw notFound();
      await this.#import(session, screen, id, row.file_id, run.mode, { ...row.choice, ask: 'never' }, true);
    }
  }

  /** The file of an import with a column that says what is wrong in its rows. @throws AppError 409 when nothing is known to be wrong */
  async errorSheet(session: Session, id: number): Promise<Buffer> {
    const { db, schema } = session.tenant;
    const { errors, columns } = await this.importRun(session, id);
    const [row] = await db.query<{ file_id: number }>(`select file_id from "${schema}"."import_run" where id = $1`, [
      id,
    ]);
    if (!row || errors.length === 0)
      throw new AppError(409, 'bad_state', 'No row of this import is known to be wrong.');
    const { path } = await this.#deps.files.open(session.tenant, row.file_id);
    let sheet: Uint8Array | null = null;
    const { ended } = this.#processes.start(
      { kind: 'error_sheet', path, sheet: columns?.sheet ?? '', errors },
      ({ bytes }: { bytes: Uint8Array }) => {
        sheet = bytes;
      },
    );
    const { fault } = await ended;
    if (fault !== undefined)
      this.#deps.log.error({ fault, run: `import ${schema} ${id}` }, 'The rows of an import could not be marked');
    if (!sheet)
      throw new AppError(409, 'bad_state', 'This file cannot be written again. Correct the rows in your own copy.');
    return Buffer.from(sheet);
  }

  /** Stops a run; an import that was writing leaves nothing behind. */
  async cancel(session: Session, kind: 'import' | 'export', id: number): Promise<void> {
    const { db, schema } = session.tenant;
    if (kind === 'import') await this.importRun(session, id);
    else await this.exportRun(session, id);
    const rows = await db.query(
      `update "${schema}"."${kind}_run" set state = 'cancelled', message = 'Cancelled. Nothing was saved.' where id = $1 and by = $2 and state = any($3) returning id`,
      [id, session.userId, OPEN_STATES],
    );
    if (rows.length === 0) throw new AppError(409, 'bad_state', 'This run has ended already.');
    this.#running.get(`${kind} ${schema} ${id}`)?.post('cancel');
  }

  /** Starts an export of a list as the person sees it. */
  async startExport(
    session: Session,
    screen: Screen,
    query: Record<string, string>,
    columns: string[] | undefined,
  ): Promise<{ id: number; done: Promise<void> }> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<{ id: number }>(
      `insert into "${schema}"."export_run" (record_type, entity_id, state, query, by, server) values ($1, $2, 'running', $3, $4, $5) returning id`,
      [
        screen.name,
        session.entityId,
        JSON.stringify({ query, columns }),
        session.userId,
        await this.#deps.presence.number(),
      ],
    );
    const max = await this.#deps.maxRows(session);
    const fileName = `${screen.plural} ${formatDate(dayIn(placeOf(session).timezone))}.xlsx`;
    const done = this.#work(session, {
      ...(await this.#task(session, screen, row!.id, 'export')),
      export: { query, columns, maxRows: max.export, fileName },
    });
    return { id: row!.id, done: done.then(() => this.#deps.exported?.(session, screen, row!.id)) };
  }

  async exportRun(
    session: Session,
    id: number,
  ): Promise<{
    id: number;
    type: string;
    state: string;
    done: number;
    total: number | null;
    file_id: number | null;
    message: string | null;
  }> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<{
      id: number;
      type: string;
      state: string;
      done: number;
      total: number | null;
      file_id: number | null;
      message: string | null;
    }>(
      `select id, record_type as type, state, done, total, file_id, message from "${schema}"."export_run" where id = $1 and by = $2`,
      [id, session.userId],
    );
    if (!row) throw notFound();
    return row;
  }

  /** Notes that the person knows how an export ended; nobody tells it them again. */
  async seen(session: Session, id: number): Promise<void> {
    const { db, schema } = session.tenant;
    await db.query(
      `update "${schema}"."export_run" set seen_at = now() where id = $1 and by = $2 and seen_at is null`,
      [id, session.userId],
    );
  }

  /** An export that has ended without its person seeing that, or null. */
  async unseenExport(
    session: Session,
    id: number,
  ): Promise<{ state: 'done' | 'failed'; done: number; message: string | null } | null> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<{ state: 'done' | 'failed'; done: number; message: string | null }>(
      `select state, done, message from "${schema}"."export_run" where id = $1 and by = $2 and seen_at is null and state in ('done', 'failed')`,
      [id, session.userId],
    );
    return row ?? null;
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

  async #task(session: Session, screen: Screen, runId: number, kind: WorkerTask['kind']): Promise<WorkerTask> {
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

  async #work(session: Session, task: WorkerTask): Promise<void> {
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
    this.#checked.set(key, setTimeout(() => this.#forget(key), KEPT_FINDINGS_MS).unref());
    for (const oldest of this.#checked.keys()) {
      if (this.#checked.size <= KEPT_FINDINGS) break;
      this.#forget(oldest);
    }
  }

  /** Nobody counts on this time any longer: its import goes on, or has ended. */
  #kept(key: string): void {
    clearTimeout(this.#checked.get(key));
    this.#checked.delete(key);
  }

  #forget(key: string): void {
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
