import { formatNumber } from '../../../descriptor/format.ts';
/**
 * One import, in a separate process with its own database connections: reads the sheet, checks every row, reports what
 * would happen, and writes on "commit". The server never waits for it.
 */
import { readFile } from 'node:fs/promises';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { placeOf, stayAt } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../db/errors.ts';
import { storeEntry } from '../../services/audit/audit.ts';
import { DomainEvents } from '../events/domain_events.ts';
import { createEngine } from '../records/engine.ts';
import { noHooks } from '../records/hooks.ts';
import type { Engine } from '../records/engine.ts';
import { importStepErrors } from '../records/import_steps.ts';
import type { HeldKeys } from '../records/foreign_keys.ts';
import { ownDefaults } from '../records/own_defaults.ts';
import { receivedScreens } from './packed_screens.ts';
import { Progress } from './progress.ts';
import { openingFields, openingNumber } from '../../../descriptor/workflow.ts';
import { isAddedByActs } from './added_by_acts.ts';
import type { PlannedWrites } from './added_by_acts.ts';
import type { CellError, UnknownRecord } from './cell_error.ts';
import { localMoment, shownText, takesText } from './cell_text.ts';
import { resolveNames } from './reference_names.ts';
import { refusalOf } from '../records/uniqueness.ts';
import type { Names } from './reference_names.ts';
import { importFields, keyOfStored, mapColumns } from './sheet_columns.ts';
import type { ColumnMap } from './sheet_columns.ts';
import { foundSheet, isOpen } from './found_columns.ts';
import { changedReadOnly, sheetNotices } from './sheet_notices.ts';
import { sheetRecords } from './sheet_records.ts';
import { idInNumber, numberField } from './sheet_number.ts';
import { SLICE, StoredRecords, slicesOf } from './stored_records.ts';
import { readRows } from './rows_read.ts';
import type { RowsRead } from './rows_read.ts';
import { isEntered, isSheetOf, keyOfRow, putWithin, rowsSheets, wholeRow } from './rows_sheets.ts';
import type { RowsSheet } from './rows_sheets.ts';
import { insertRows } from '../records/rows_at_once.ts';
import { isBlank, readSheet } from './sheet_read.ts';
import type { Sheet } from './sheet_read.ts';
import { isTemplateHelp } from './template.ts';
import { sessionOf } from './worker_task.ts';
import type { CheckedRow, RowToCheck, ServerLink, WorkerTask } from './worker_task.ts';

interface Planned extends PlannedWrites {
  unchanged: number;
  errors: CellError[];
}

/** Added to the score of known headings: more than any row of unknown ones can reach. */
const SURE_HEADS = 100_000;
/** The number of rows per question to the server. */
const ASKED_AT_ONCE = 200;

class Cancelled extends Error {}

/** The rows of a sheet that belong to one record. */
interface BroughtRows {
  sheet: RowsSheet;
  rows: RowsRead['rows'];
}

/** The record of a resolved name that does not exist. */
const unknownIn = (one: object): Pick<CellError, 'unknown'> =>
  'unknown' in one ? { unknown: one.unknown as UnknownRecord } : {};

class SheetImport {
  readonly #runId: number;
  readonly #server: ServerLink;
  readonly #options: NonNullable<WorkerTask['import']>;
  readonly #screens: Map<string, Screen>;
  readonly #screen: Screen;
  readonly #session: Session;
  readonly #db: Database;
  readonly #progress: Progress;
  readonly #engine: Engine;
  readonly #stored: StoredRecords;
  readonly #rowFields: Set<string>;
  /** Values in the sheet for new records that people cannot enter. */
  readonly #opening: string[];
  #defaults: Record<string, unknown> = {};
  /** Child rows in separate sheets of the file. */
  #rowsSheets: RowsSheet[] = [];

  constructor(task: WorkerTask, server: ServerLink) {
    this.#runId = task.runId;
    this.#server = server;
    this.#options = task.import!;
    this.#screens = receivedScreens(task.screens);
    const screen = (this.#screen = this.#screens.get(task.type)!);
    const { session, db } = sessionOf(task);
    this.#session = session;
    this.#db = db;
    this.#progress = new Progress(db, session.tenant.schema, 'import_run', task.runId);
    const { module, subscriptions } = task.import!.follows;
    this.#engine = createEngine({
      screens: () => this.#screens,
      hooks: { ...noHooks, followsImports: () => module },
      events: DomainEvents.of(subscriptions),
    });
    this.#opening = openingFields(screen);
    this.#stored = new StoredRecords(session, screen, this.#screens);
    this.#rowFields = new Set(screen.fields.flatMap(({ name, rows }) => (rows ? [name] : [])));
  }

  async run(): Promise<void> {
    try {
      stayAt(placeOf(this.#session));
      let planned: Planned | null = null;
      const checked = await this.#guarded(async () => {
        this.#stored.own = await ownDefaults(this.#session, this.#screen);
        this.#defaults = {
          ...Object.fromEntries(
            this.#screen.fields
              .filter((field) => field.default !== undefined && !field.rows)
              .map((field) => [field.name, field.default]),
          ),
          // These child rows cannot be imported.
          ...Object.fromEntries(Object.entries(this.#stored.own).filter(([name]) => !name.includes('.'))),
        };
        planned = await this.#check();
        if (!planned) return;
        planned.errors.sort((a, b) => a.row - b.row);
        await this.#progress.say({
          counts: {
            insert: planned.inserts.length,
            update: planned.updates.length,
            unchanged: planned.unchanged,
            error_count: planned.errors.length,
          },
          errors: planned.errors.slice(0, 1_000),
        });
        if (!this.#options.commit) await this.#progress.say({ state: 'checked' });
      });
      if (!checked || !planned) return;
      // Keeps its findings in memory for a while, so that the commit does not need to check again.
      if (!this.#options.commit && (await this.#word()) !== 'commit') return;
      await this.#guarded(() => this.#finish(planned!));
    } finally {
      await this.#db.close();
    }
  }

  /** The person's reply to the findings; "forget" when the server stops waiting. */
  async #word(): Promise<string> {
    this.#server.post({ waits: true });
    return (await this.#server.heard()) as string;
  }

  /** The sheet with its column assignment; null = the person is asked about it first. */
  async #read(): Promise<{ sheet: Sheet; map: ColumnMap } | null> {
    const { sheet: wanted, choices, remembered = false, ask } = this.#options.columns;
    const least = choices.length > 0 && !remembered ? 1 : Math.min(2, importFields(this.#screen).length);
    const sheet = readSheet(await readFile(this.#options.path), {
      maxRows: this.#options.maxRows,
      sheet: wanted,
      mayBeWithoutHeads: ask !== 'never',
      fits: (cells) => {
        const { columns, known } = mapColumns(this.#screen, cells, choices);
        if (known >= least && columns.some((field) => field !== null)) return SURE_HEADS + known;
        // If somebody can assign the columns, the row with the most texts: all its headings may be unknown.
        return ask === 'never' ? 0 : cells.filter((cell) => typeof cell === 'string' && !isBlank(cell)).length;
      },
    });
    // Sheets of child rows cannot be chosen for the records.
    const ofRows = rowsSheets(this.#screen).filter((rows) => sheet.others.some((name) => isSheetOf(rows, name)));
    this.#rowsSheets = ofRows.filter(isEntered);
    sheet.others = sheet.others.filter((name) => !ofRows.some((rows) => isSheetOf(rows, name)));
    if (isTemplateHelp(sheet.others)) sheet.others = [];
    const map = mapColumns(this.#screen, sheet.heads, choices);
    const missing = remembered ? undefined : choices.find(({ heading }) => !map.headings.includes(heading));
    if (missing) throw new AppError(422, 'invalid', `The sheet has no column "${missing.heading}".`);
    const columns = foundSheet(this.#screen, sheet, map);
    const asked = ask === 'always' || (ask === 'when_open' && isOpen(columns, wanted !== undefined));
    await this.#progress.say({ columns, ...(asked && { state: 'columns' }) });
    return asked ? null : { sheet, map };
  }

  /** The child rows of the file, with the ids of their references; errors are added to `errors`. */
  async #readRows(errors: CellError[]): Promise<RowsRead[]> {
    if (this.#rowsSheets.length === 0) return [];
    const bytes = await readFile(this.#options.path);
    const all = this.#rowsSheets.map((sheet) => readRows(bytes, sheet, this.#options.maxRows));
    for (const { sheet, rows, texts, shared, errors: found } of all) {
      errors.push(...found);
      for (const [field, names] of texts) {
        const target = this.#screens.get(field.ref!.type);
        if (!target) continue;
        const known = await resolveNames(this.#session, this.#screens, field, target, names);
        for (const { row, record } of rows) {
          const wanted = record[field.name];
          if (!Array.isArray(wanted)) continue;
          const found = (wanted as string[]).map((name) => known.get(name) ?? { error: 'Not known.' });
          if (found.some((one) => 'candidates' in one)) {
            shared.push({ record, field, names: found });
            continue;
          }
          const ids = found.flatMap((one) => {
            if ('id' in one) return [one.id];
            errors.push({ sheet: sheet.name, row, column: field.title, message: one.error, ...unknownIn(one) });
            return [];
          });
          record[field.name] = field.type === 'refs' ? ids : (ids[0] ?? null);
        }
      }
    }
    return all;
  }

  /** The rows of each sheet by the key of their record; a row whose record is not in the file is an error. */
  #rowsByKey(
    all: RowsRead[],
    records: readonly Record<string, unknown>[],
    storedOf: (record: Record<string, unknown>) => Record<string, unknown> | undefined,
    errors: CellError[],
  ): { of: (record: Record<string, unknown>) => BroughtRows[]; isWrong: (record: Record<string, unknown>) => boolean } {
    const keyed = all.map(({ sheet, rows, shared }) => {
      const known = new Map(records.map((record) => [this.#stored.keyText(sheet.key, record), record]));
      const open = Map.groupBy(shared, ({ record }) => record);
      const byKey = Map.groupBy(rows, ({ record }) => this.#stored.keyText(sheet.key, keyOfRow(sheet, record)));
      for (const [key, lost] of byKey)
        if (key === null || !known.has(key))
          for (const { row } of lost)
            errors.push({
              sheet: sheet.name,
              row,
              column: sheet.screen.fields[0]!.title,
              message:
                key === null
                  ? 'This row does not say which record it belongs to.'
                  : 'The first sheet has no such record. Add it there.',
            });
      for (const [key, brought] of open.size === 0 ? [] : byKey) {
        const of = key === null ? undefined : known.get(key);
        const stored = ((of && storedOf(of)?.[sheet.field.name]) ?? []) as Record<string, unknown>[];
        for (const [at, { row, record }] of brought.entries())
          for (const { field, names } of open.get(record) ?? []) {
            const before = [stored[at]?.[field.name] ?? []].flat();
            const ids = names.flatMap((one) => {
              if ('id' in one) return [one.id];
              // A shared name is not ambiguous if the row already refers to one of the records.
              const kept = one.candidates?.find((id) => before.includes(id));
              if (kept !== undefined) return [kept];
              errors.push({ sheet: sheet.name, row, column: field.title, message: one.error, ...unknownIn(one) });
              return [];
            });
            record[field.name] = field.type === 'refs' ? ids : (ids[0] ?? null);
          }
      }
      return { sheet, byKey };
    });
    const faulty = new Set(errors.flatMap(({ sheet, row }) => (sheet === undefined ? [] : [`${sheet} ${row}`])));
    const of = (record: Record<string, unknown>) =>
      keyed.flatMap(({ sheet, byKey }) => {
        const rows = byKey.get(this.#stored.keyText(sheet.key, record) ?? '');
        return rows ? [{ sheet, rows }] : [];
      });
    return {
      of,
      isWrong: (record) =>
        of(record).some(({ sheet, rows }) => rows.some(({ row }) => faulty.has(`${sheet.name} ${row}`))),
    };
  }

  async #check(): Promise<Planned | null> {
    await this.#progress.say({ state: 'reading', done: 0 });
    const fields = importFields(this.#screen);
    const read = await this.#read();
    if (!read) return null;
    const { sheet, map } = read;
    const { columns, missing } = map;
    const notices = sheetNotices(this.#screen, sheet, map, this.#options.columns.sheet !== undefined);
    await this.#progress.say({ state: 'checking', total: sheet.rows.length });

    const { errors, records, texts } = sheetRecords(sheet, columns);
    const rowsRead = await this.#readRows(errors);

    const resolved = new Map<Field, Names>();
    const inFile = this.#ownKeys(texts, records);
    for (const [field, names] of texts) {
      const target = this.#screens.get(field.ref!.type);
      if (target) resolved.set(field, await resolveNames(this.#session, this.#screens, field, target, names));
    }
    // A key may contain references: their ids decide which record a row means.
    const byReference = [...resolved.keys()].some(({ name }) => this.#stored.keys.some((key) => key.includes(name)));
    const keyed = records.map(({ record }) => (byReference ? withIds(record, resolved) : record));
    const existing = await this.#stored.find(keyed, this.#rowsSheets);
    for (const [at, item] of records.entries()) {
      for (const [field, names] of resolved) {
        const wanted = item.record[field.name];
        if (!Array.isArray(wanted)) continue;
        const ids: number[] = [];
        for (const name of wanted as string[]) {
          const found = names.get(name);
          // A shared name is not ambiguous if the record already refers to one of the records.
          const kept =
            found && 'candidates' in found
              ? found.candidates?.find((id) =>
                  [existing.find(keyed[at]!)?.values[field.name] ?? []].flat().includes(id),
                )
              : undefined;
          if (found && 'id' in found) ids.push(found.id);
          else if (kept !== undefined) ids.push(kept);
          else {
            const message = found?.error ?? 'Not known.';
            const isInFile = inFile.has(name.toLowerCase()) && field.ref!.type === this.#screen.name;
            errors.push({
              row: item.row,
              column: field.title,
              message: isInFile ? `${message} It is in this file: import that row first.` : message,
              ...(!isInFile && found && unknownIn(found)),
            });
            (item.wrong ??= []).push(field.name);
          }
        }
        item.record[field.name] = field.type === 'refs' ? ids : (ids[0] ?? null);
      }
    }

    for (const [index, field] of map.readOnly.entries())
      if (field) {
        const changed = this.#changedRows(field, index, sheet.rows, (at) => existing.find(records[at]!.record)?.values);
        if (changed.length > 0) notices.push(changedReadOnly(field.title, changed));
      }
    await this.#progress.say({ notices });

    const rows = this.#rowsByKey(
      rowsRead,
      records.map(({ record }) => record),
      (record) => existing.find(record)?.values,
      errors,
    );
    const planned: Planned = { inserts: [], updates: [], unchanged: 0, errors };
    const seen = new Map<string, number>();
    const names = new Map(fields.map((field) => [field.name, field.title]));
    const storedKey = keyOfStored(this.#screen);
    for (let from = 0; from < records.length; from += SLICE) {
      const slice = records.slice(from, from + SLICE);
      const good: {
        row: number;
        record: Record<string, unknown>;
        given: Record<string, unknown>;
        known: { id: number; values: Record<string, unknown> } | null;
        set: Record<string, unknown>;
      }[] = [];
      const stored = slice.map(({ record }) => existing.find(record) ?? null);
      const complete = slice.map(({ record }, index) => {
        const known = stored[index];
        const whole = known ? { ...known.values, ...record } : { ...this.#defaults, ...record };
        const number = numberField(this.#screen);
        if (number !== undefined && idInNumber(this.#screen, record) !== undefined)
          whole[number] = known?.values[number] ?? null;
        for (const { sheet: brought, rows: said } of rows.of(record)) {
          if (brought.within) {
            const outer = brought.within.name;
            const put = putWithin(brought, (whole[outer] as Record<string, unknown>[] | undefined) ?? [], said);
            whole[outer] = put.rows;
            const column = brought.screen.fields[brought.key.length]!.title;
            for (const { row } of put.lost)
              errors.push({ sheet: brought.name, row, column, message: 'The record has no such row.' });
            continue;
          }
          const before = (known?.values[brought.field.name] ?? []) as Record<string, unknown>[];
          whole[brought.field.name] = said.map((one, at) => wholeRow(brought, one.record, before[at]));
        }
        return whole;
      });
      const before = stored.map((known) => (known ? { ...known.values, id: known.id } : null));
      await this.#engine.followReferences(
        this.#session,
        this.#screen,
        complete.map((record, at) => ({ record, stored: before[at] ?? null })),
      );
      const unseen = await this.#engine.unseenValues(
        this.#session,
        this.#screen,
        stored.flatMap((known) => known?.id ?? []),
      );
      const validated = this.#engine.validateMany(
        this.#session,
        this.#screen,
        complete,
        before,
        stored.map((known) => known && unseen.get(known.id)),
      );
      validated.forEach(({ record, errors: found }, index) => {
        const { row, record: given, wrong } = slice[index]!;
        let twice = false;
        const opened = Object.fromEntries(
          this.#opening.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
        );
        const byId = idInNumber(this.#screen, given);
        const number = given[numberField(this.#screen) ?? ''] ?? null;
        if (
          !stored[index] &&
          number !== null &&
          (byId !== undefined || !(this.#screen.number || openingNumber(this.#screen)))
        ) {
          const column = names.get(numberField(this.#screen)!) ?? '';
          errors.push({
            row,
            column,
            message: `There is no record ${String(number)}. Leave the cell empty: a new record gets its number from the system.`,
          });
          return;
        }
        if (!stored[index] && storedKey.length > 0) {
          const named = storedKey.map((name) => names.get(name) ?? name);
          if (!wrong)
            errors.push({
              row,
              column: named[0]!,
              message: `There is no record with these values in ${named.join(', ')}. A file changes records of this list and adds none.`,
            });
          return;
        }
        for (const key of this.#stored.keys) {
          const text = this.#stored.keyText(key, byId === undefined ? { ...record, ...opened } : given);
          if (text === null) continue;
          const before = seen.get(`${key.join()}=${text}`);
          if (before !== undefined)
            errors.push({
              row,
              column: names.get(key[0]!) ?? key[0]!,
              message: `Row ${before} has the same ${key.map((name) => names.get(name) ?? name).join(' and ')}.`,
            });
          else seen.set(`${key.join()}=${text}`, row);
          if (before !== undefined) twice = true;
        }
        const known = stored[index] ?? null;
        const brought = new Map(
          rows
            .of(given)
            .map((one) => [(one.sheet.within ?? one.sheet.field).name, one] as const)
            .toReversed(),
        );
        if (
          rows
            .of(given)
            .some(({ sheet: one, rows: said }) =>
              said.some(({ row: at }) => errors.some((error) => error.sheet === one.name && error.row === at)),
            )
        )
          return;
        // A cell with an error is not reported as missing as well.
        const faults = [
          ...found.filter(
            ({ field }) =>
              !(known && this.#rowFields.has(field.split('.')[0]!) && !brought.has(field.split('.')[0]!)) &&
              !wrong?.includes(field),
          ),
          ...importStepErrors(this.#screen, known?.values ?? null, { ...record, ...opened }),
        ];
        for (const { field, message } of faults) {
          const [name = '', at, column] = field.split('.');
          const inRow = brought.get(name);
          if (inRow && at !== undefined) {
            const title = inRow.sheet.field.rows!.find((one) => one.name === column)?.title ?? '';
            const line = inRow.rows[Number(at)]?.row ?? row;
            // A cell that cannot be read has already been reported.
            if (!errors.some((one) => one.sheet === inRow.sheet.name && one.row === line && one.column === title))
              errors.push({ sheet: inRow.sheet.name, row: line, column: title, message });
            continue;
          }
          const missed = missing.find((one) => one.name === field);
          errors.push({
            row,
            column: names.get(field.split('.')[0]!) ?? '',
            message: missed ? `${message} The sheet has no column "${missed.title}".` : message,
          });
        }
        if (wrong || twice || faults.length > 0 || rows.isWrong(given)) return;
        const set = known ? this.#stored.changed(known.values, record, Object.keys(given)) : record;
        if (known) Object.assign(set, this.#stored.changedRowFields(known.values, record, brought));
        if (known && Object.keys(set).length === 0) planned.unchanged++;
        else good.push({ row, record: known ? record : { ...record, ...opened }, given, known, set });
      });
      const checked = await this.#byOwnChecks(
        good.map(({ record, known, set }) => ({ id: known?.id ?? null, record, changed: Object.keys(set) })),
      );
      for (const [at, { row, record, given, known, set }] of good.entries()) {
        const { errors: found, fill } = checked?.[at] ?? { errors: [], fill: {} };
        for (const { field, message } of found)
          errors.push({ row, column: names.get(field.split('.')[0]!) ?? '', message });
        if (found.length > 0) continue;
        if (!known) planned.inserts.push({ ...record, ...fill });
        else
          planned.updates.push({
            id: known.id,
            before: known.values,
            set: {
              ...set,
              ...this.#stored.changed(known.values, { ...record, ...fill }, [
                ...Object.keys(given),
                ...Object.keys(fill),
              ]),
            },
          });
      }
      await this.#progress.say({ done: Math.min(records.length, from + SLICE) });
      if (await this.#progress.cancelled()) throw new Cancelled();
    }
    return planned;
  }

  /** Rows whose cell in a read-only column differs from the record; references are not compared. */
  #changedRows(
    field: Field,
    index: number,
    rows: { row: number; cells: unknown[] }[],
    stored: (at: number) => Record<string, unknown> | undefined,
  ): number[] {
    if (field.ref || field.rows || field.masked || !this.#screen.fields.includes(field)) return [];
    return rows.flatMap(({ row, cells }, at) => {
      const cell = cells[index];
      const before = stored(at);
      if (isBlank(cell) || !before) return [];
      const shown = takesText(field) ? shownText(cell, field) : { value: cell };
      if ('error' in shown) return [row];
      const parsed = fieldType(field.type).parse(
        shown.value instanceof Date && field.type === 'datetime' ? localMoment(shown.value) : shown.value,
        field,
      );
      if ('error' in parsed) return [row];
      return Object.keys(this.#stored.changed(before, { [field.name]: parsed.value }, [field.name], [])).length > 0
        ? [row]
        : [];
    });
  }

  /**
   * The findings of the type's own checks on rows; null = it has none. The server runs them because it has the person's
   * rights.
   */
  async #byOwnChecks(rows: RowToCheck[]): Promise<CheckedRow[] | null> {
    const answers: CheckedRow[] = [];
    for (let from = 0; from < rows.length; from += ASKED_AT_ONCE) {
      this.#server.post({ rows: rows.slice(from, from + ASKED_AT_ONCE) });
      for (;;) {
        const message = (await this.#server.heard()) as string | { checked: CheckedRow[] | null };
        // The person's command in the meantime; a cancelled run is marked in its own row.
        if (typeof message === 'string') continue;
        if (message.checked === null) return null;
        answers.push(...message.checked);
        break;
      }
      if (await this.#progress.cancelled()) throw new Cancelled();
    }
    return answers;
  }

  /** Keys and names in the file itself: a row may refer to another row of the same file in the wrong order. */
  #ownKeys(texts: Map<Field, Set<string>>, records: { record: Record<string, unknown> }[]): Set<string> {
    const named = new Set<string>();
    if (![...texts.keys()].some((field) => field.ref!.type === this.#screen.name)) return named;
    for (const { record } of records)
      for (const name of this.#screen.label)
        if (typeof record[name] === 'string') named.add(record[name].toLowerCase());
    return named;
  }

  async #write({ inserts, updates }: Planned): Promise<void> {
    const total = inserts.length + updates.length;
    await this.#progress.say({ state: 'writing', done: 0, total });
    if (inserts.length > 0 && isAddedByActs(this.#screen)) {
      // Side effects of adding a record are functions of modules, which only the server has.
      this.#server.post({ open: { inserts, updates } });
      for (;;) {
        const message = (await this.#server.heard()) as string | { opened: string | null };
        if (typeof message === 'string') continue;
        if (message.opened !== null) throw new AppError(422, 'invalid', message.opened);
        return;
      }
    }
    const what = `import ${this.#runId}`;
    await this.#db.transaction(async (tx) => {
      let done = 0;
      const held: HeldKeys = { values: new Map() };
      const writes = [
        ...slicesOf(this.#stored.inListOrder(inserts)).map((batch) => async () => {
          const ids = await this.#engine.insertMany(tx, this.#session, this.#screen, batch, what, held);
          await insertRows(tx, this.#session, this.#screen, ids, batch);
          await this.#engine.insertParts(tx, this.#session, this.#screen, ids, batch, what);
          return batch.length;
        }),
        ...slicesOf(updates).map((batch) => async () => {
          const [withRows, others] = [true, false].map((are) =>
            batch.filter(({ set }) => Object.keys(set).some((name) => this.#rowFields.has(name)) === are),
          ) as [Planned['updates'], Planned['updates']];
          await this.#engine.updateMany(tx, this.#session, this.#screen, others, what);
          for (const { id, before, set } of withRows)
            await this.#engine.updateWithRows(tx, this.#session, this.#screen, { id, before, set }, what);
          return batch.length;
        }),
      ];
      // The next slice is prepared while the database writes the current one.
      let before = Promise.resolve(0);
      let now = before;
      // A file may move a boundary between two ranges: they are compared as a whole.
      if (this.#screen.ranges) await tx.query('set constraints all deferred');
      try {
        for (const write of writes) {
          now = write();
          // Awaited below, possibly after it has failed.
          now.catch(() => undefined);
          await this.#progress.say({ done: (done += await before) });
          before = now;
          if (await this.#progress.cancelled()) throw new Cancelled();
        }
        await before;
        if (this.#screen.ranges)
          await tx.query('set constraints all immediate').catch((error: unknown) => {
            throw refusalOf(error, this.#screen, {});
          });
      } finally {
        // No statement may reach the database after the transaction has ended.
        await Promise.allSettled([before, now]);
      }
      // In the same transaction as the records: an interrupted import has stored nothing unless it says so.
      const ended = await tx.query(
        `update "${this.#session.tenant.schema}"."import_run" set state = 'imported', done = $2 where id = $1 and state = 'writing' returning 1`,
        [this.#runId, total],
      );
      if (ended.length === 0) throw new Cancelled();
      const { userId, sid, entityId, tenant } = this.#session;
      await storeEntry(tx, tenant.schema, {
        actor: userId,
        sid,
        entityId,
        action: 'import',
        target: this.#screen.name,
        summary: `${formatNumber(inserts.length)} added, ${formatNumber(updates.length)} changed`,
      });
    });
  }

  async #finish(planned: Planned): Promise<void> {
    if (this.#options.mode === 'all_or_nothing' && planned.errors.length > 0)
      throw new AppError(
        422,
        'invalid',
        'Nothing was imported: correct the rows with errors, or choose to import the good rows only.',
      );
    await this.#write(planned);
  }

  async #guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Cancelled)
        await this.#progress.say({ state: 'cancelled', message: 'Cancelled. Nothing was saved.' });
      else if (error instanceof AppError) await this.#progress.say({ state: 'failed', message: error.message });
      else {
        await this.#progress.say({
          state: 'failed',
          message: 'The import stopped because of an internal error. Nothing was saved. Please try again.',
        });
        this.#server.post({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
      return false;
    }
  }
}

/** A row with the ids of single references whose names are unambiguous; the others are treated as empty. */
function withIds(record: Record<string, unknown>, resolved: Map<Field, Names>): Record<string, unknown> {
  const keyed = { ...record };
  for (const [field, names] of resolved) {
    const wanted = record[field.name];
    if (!Array.isArray(wanted)) continue;
    const found = names.get(String(wanted[0]));
    keyed[field.name] = field.type === 'ref' && found && 'id' in found ? found.id : null;
  }
  return keyed;
}

/** Runs one import in this process; `server` relays the person's commands and answers questions. */
export function runImport(task: WorkerTask, server: ServerLink): Promise<void> {
  return new SheetImport(task, server).run();
}
