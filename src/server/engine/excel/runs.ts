import { DateTime } from 'luxon';
import type { Screen } from '../../../descriptor/types.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { peopleTable } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { checkFields, checkHeadings, noSuchSheet } from './column_choice.ts';
import type { FoundSheet } from './found_columns.ts';
import type { CellError } from './cell_error.ts';
import { forgetColumns, rememberColumns, rememberedColumns } from './remembered_columns.ts';
import { ExportRuns } from './export_runs.ts';
import { OPEN_STATES, RunTasks } from './run_tasks.ts';
import type { ExcelRunsDeps } from './run_tasks.ts';
import { importFields } from './sheet_columns.ts';
import type { ColumnChoice } from './sheet_columns.ts';
import type { ColumnWish } from './worker_task.ts';

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
  /** Notices about the file besides its errors. */
  notices: string[];
  /** The columns of the file and their assignment, once it has been read. */
  columns: (FoundSheet & { remembered: boolean; fields: { name: string; title: string; required: boolean }[] }) | null;
  message: string | null;
  /** The same file was imported before: when, and by whom. */
  before: { at: string; by: string } | null;
}

/** How a file is to be imported. */
export interface ImportWish {
  mode: ImportRun['mode'];
  sheet?: string | undefined;
  /** The column choices; without them the headings decide. */
  choices?: ColumnChoice[] | undefined;
  /** Whether the person is asked if headings are unclear. */
  ask: boolean;
}

const importKey = (schema: string, id: number) => `import ${schema} ${id}`;

/**
 * Imports and exports: started here, run in separate processes, with their state in the tenant's `import_run` and
 * `export_run`, so that any process can report, cancel or commit.
 */
export class ExcelRuns {
  readonly #deps: ExcelRunsDeps;
  readonly #tasks: RunTasks;
  readonly exports: ExportRuns;

  constructor(deps: ExcelRunsDeps) {
    this.#deps = deps;
    this.#tasks = new RunTasks(deps);
    this.exports = new ExportRuns(deps, this.#tasks);
  }

  /** A workbook is being uploaded: its reader starts in the meantime. */
  expectImport(session: Session, screen: Screen): void {
    this.#tasks.expect(session, screen);
  }

  /** Starts the dry run of an uploaded workbook. Returns the run's id at once. */
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

  /** The person's earlier choices, for fields that can still be imported. */
  async #remembered(session: Session, screen: Screen): Promise<ColumnChoice[]> {
    const fields = new Set(importFields(screen).map(({ name }) => name));
    return (await rememberedColumns(session.tenant.db, session, screen.name)).filter(
      ({ field }) => field === null || fields.has(field),
    );
  }

  /**
   * The person's choices for the columns of a file that is not written yet: it is read again. Without `choices` the
   * person is asked about the columns, of another sheet or without the remembered choices.
   * @throws AppError 409 if it is too late or for another company, 422 with the heading
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
      if (!row) throw new AppError(409, 'bad_state', 'This import has moved on: its columns cannot be chosen now.');
      if (reset) await forgetColumns(tx, session, screen.name);
      if (choices) await rememberColumns(tx, session, screen.name, choices);
      return row.file_id;
    });
    this.#tasks.forget(importKey(schema, id));
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
    void this.#tasks.work(session, {
      ...(await this.#tasks.task(session, screen, runId, 'import')),
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

  /** The state of an import. @throws AppError 404 for another person's run. */
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
   * A run to be written or undone: rows and the person's rights were checked in one company, so it continues only in
   * that company. @throws AppError 404, 409
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

  /**
   * Writes the result of the dry run; a file that was imported before only if `again` is set. @throws AppError 409 if
   * the run is not waiting for it.
   */
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
        `This file was imported on ${at} by ${run.before.by}. Confirm that it should be imported again.`,
        { extra: { before: run.before } },
      );
    }
    if (run.state === 'columns')
      throw new AppError(
        409,
        'bad_state',
        'First choose what the columns of this file contain: it has not been checked yet.',
      );
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
    // Another server may have read the file since with other columns: then the findings here are not the ones shown.
    if (row.checked_by !== server) this.#tasks.forget(key);
    if (!this.#tasks.commit(key)) {
      // Its findings are gone (another process, a restart, or too many of them): the file is checked again and then
      // written.
      const screen = this.#deps.screens(session).get(run.type);
      if (!screen) throw notFound();
      await this.#import(session, screen, id, row.file_id, run.mode, { ...row.choice, ask: 'never' }, true);
    }
  }

  /** The file of an import with a column for the errors of its rows. @throws AppError 409 if no errors are known */
  async errorSheet(session: Session, id: number): Promise<Buffer> {
    const { db, schema } = session.tenant;
    const { errors, columns } = await this.importRun(session, id);
    const [row] = await db.query<{ file_id: number }>(`select file_id from "${schema}"."import_run" where id = $1`, [
      id,
    ]);
    if (!row || errors.length === 0) throw new AppError(409, 'bad_state', 'This import has no rows with errors.');
    const { path } = await this.#deps.files.open(session.tenant, row.file_id);
    const { sheet, fault } = await this.#tasks.errorSheet({ path, sheet: columns?.sheet ?? '', errors });
    if (fault !== undefined)
      this.#deps.log.error({ fault, run: `import ${schema} ${id}` }, 'The rows of an import could not be marked');
    if (!sheet)
      throw new AppError(409, 'bad_state', 'This file cannot be written again. Correct the rows in your own copy.');
    return Buffer.from(sheet);
  }

  /** Stops a run; an interrupted import leaves nothing behind. */
  async cancel(session: Session, kind: 'import' | 'export', id: number): Promise<void> {
    const { db, schema } = session.tenant;
    if (kind === 'import') await this.importRun(session, id);
    else await this.exports.run(session, id);
    const rows = await db.query(
      `update "${schema}"."${kind}_run" set state = 'cancelled', message = 'Cancelled. Nothing was saved.' where id = $1 and by = $2 and state = any($3) returning id`,
      [id, session.userId, OPEN_STATES],
    );
    if (rows.length === 0) throw new AppError(409, 'bad_state', 'This run has ended already.');
    this.#tasks.cancel(`${kind} ${schema} ${id}`);
  }

  /** Ends all processes, for the shutdown of the server. */
  close(): Promise<void> {
    return this.#tasks.close();
  }
}
