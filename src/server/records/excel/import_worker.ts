/**
 * One import, in a thread of its own with database connections of its own: reads the sheet, checks every
 * row, says what would happen, and on "commit" writes. The server's thread never waits for it.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Decimal } from 'decimal.js';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../descriptor/types.ts';
import { stayInZone } from '../../client_day.ts';
import { AppError } from '../../errors.ts';
import { childTable, tableName } from '../../db/tables.ts';
import { columnSql } from '../columns.ts';
import { createEngine } from '../engine.ts';
import { importStepErrors } from '../approval.ts';
import { ownDefaults } from '../own_defaults.ts';
import { Progress } from './progress.ts';
import type { CellError } from './progress.ts';
import { resolveNames } from './reference_names.ts';
import type { Names } from './reference_names.ts';
import { importFields, mapColumns } from './sheet_columns.ts';
import { readSheet } from './sheet_read.ts';
import { sessionOf } from './worker_task.ts';
import type { CheckedRow, RowToCheck, WorkerTask } from './worker_task.ts';

const task = workerData as WorkerTask;
const options = task.import!;
const screens = new Map(task.screens.map((screen) => [screen.name, screen]));
const screen = screens.get(task.type)!;
const { session, db } = sessionOf(task);
stayInZone(session.tenant.timezone);
const progress = new Progress(db, session.tenant.schema, 'import_run', task.runId);
const engine = createEngine({ screens: () => screens });

interface Planned {
  inserts: Record<string, unknown>[];
  updates: { id: number; set: Record<string, unknown> }[];
  unchanged: number;
  errors: CellError[];
}

/** What a row does not say of a key: whoever imports it, where a field names them. */
const own = await ownDefaults(session, screen);
const emptyCounts = (key: string[]) => screen.emptyEqual?.some((one) => one.join() === key.join()) === true;

/** What tells which record a row means. */
const keys = [...screen.unique, ...(screen.number && !screen.unique.some((key) => key.length === 1 && key[0] === screen.number!.field) ? [[screen.number.field]] : [])];
/** Rows between two looks at whether somebody cancelled. */
const SLICE = 5_000;
/** Rows that the server's thread is asked about at a time. */
const ASKED_AT_ONCE = 200;

async function check(): Promise<Planned> {
  await progress.say({ state: 'reading', done: 0 });
  const fields = importFields(screen);
  const sheet = readSheet(await readFile(options.path), options.maxRows, (cells) => {
    const known = mapColumns(screen, cells).columns.filter((field) => field !== null).length;
    return known >= Math.min(2, fields.length);
  });
  const { columns, missing } = mapColumns(screen, sheet.heads);
  await progress.say({ state: 'checking', total: sheet.rows.length });

  const errors: CellError[] = [];
  const records: { row: number; record: Record<string, unknown>; wrong: boolean }[] = [];
  const texts = new Map<Field, Set<string>>();
  for (const { row, cells } of sheet.rows) {
    const record: Record<string, unknown> = {};
    let wrong = false;
    columns.forEach((field, index) => {
      if (field === null) return;
      const cell = cells[index];
      if (cell === null || cell === undefined || cell === '') return;
      if (cell === '-' && !field.required) record[field.name] = null;
      else if (field.ref) {
        const names = namesIn(field, cell);
        record[field.name] = names;
        if (!texts.has(field)) texts.set(field, new Set());
        for (const name of names) texts.get(field)!.add(name);
      } else {
        const parsed = fieldType(field.type).parse(cell, field);
        if ('error' in parsed) {
          errors.push({ row, column: field.title, message: parsed.error });
          wrong = true;
        } else if (parsed.value !== null) record[field.name] = parsed.value;
      }
    });
    records.push({ row, record, wrong });
  }

  const resolved = new Map<Field, Names>();
  const inFile = ownKeys(texts, records);
  for (const [field, names] of texts) {
    const target = screens.get(field.ref!.type);
    if (target) resolved.set(field, await resolveNames(session, field, target, names));
  }
  // A key may hold references: which record a row means is asked with their ids.
  const keyed = records.map(({ record }) => withIds(record, resolved));
  const existing = await existingRecords(keyed);
  for (const [at, item] of records.entries()) {
    const stored = existing.find(keyed[at]!)?.values;
    for (const [field, names] of resolved) {
      const wanted = item.record[field.name];
      if (!Array.isArray(wanted)) continue;
      const ids: number[] = [];
      for (const name of wanted as string[]) {
        const found = names.get(name);
        const before = [stored?.[field.name] ?? []].flat() as number[];
        // A name that several share is no question where the record has one of them already.
        const kept = found && 'candidates' in found ? found.candidates?.find((id) => before.includes(id)) : undefined;
        if (found && 'id' in found) ids.push(found.id);
        else if (kept !== undefined) ids.push(kept);
        else {
          const message = found?.error ?? 'Not known.';
          errors.push({ row: item.row, column: field.title, message: inFile.has(name.toLowerCase()) && field.ref!.type === screen.name ? `${message} It is in this file: import that row first.` : message });
          item.wrong = true;
        }
      }
      item.record[field.name] = field.type === 'refs' ? ids : (ids[0] ?? null);
    }
  }

  const planned: Planned = { inserts: [], updates: [], unchanged: 0, errors };
  const seen = new Map<string, number>();
  const names = new Map(fields.map((field) => [field.name, field.title]));
  for (let from = 0; from < records.length; from += SLICE) {
    const slice = records.slice(from, from + SLICE);
    const good: { row: number; record: Record<string, unknown>; given: Record<string, unknown>; known: { id: number; values: Record<string, unknown> } | null; set: Record<string, unknown> }[] = [];
    const complete = slice.map(({ record }) => {
      const known = existing.find(record);
      return known ? { ...known.values, ...record } : { ...defaults, ...record };
    });
    engine.validateMany(session, screen, complete).forEach(({ record, errors: found }, index) => {
      const { row, record: given, wrong } = slice[index]!;
      for (const key of keys) {
        const text = keyText(key, record);
        if (text === null) continue;
        const before = seen.get(`${key.join()}=${text}`);
        if (before !== undefined) errors.push({ row, column: names.get(key[0]!) ?? key[0]!, message: `Row ${before} has the same ${key.map((name) => names.get(name) ?? name).join(' and ')}.` });
        else seen.set(`${key.join()}=${text}`, row);
        if (before !== undefined) slice[index]!.wrong = true;
      }
      // Child rows do not travel in sheets: those of a stored record stay as they are.
      const known = existing.find(given) ?? null;
      const told = [...(known ? found.filter(({ field }) => !rowFields.has(field.split('.')[0]!)) : found), ...importStepErrors(screen, known?.values ?? null, record)];
      for (const { field, message } of told) {
        const missed = missing.find((one) => one.name === field);
        errors.push({ row, column: names.get(field.split('.')[0]!) ?? '', message: missed ? `${message} The sheet has no column "${missed.title}".` : message });
      }
      if (wrong || slice[index]!.wrong || told.length > 0) return;
      const set = known ? changed(known.values, record, Object.keys(given)) : record;
      if (known && Object.keys(set).length === 0) planned.unchanged++;
      else good.push({ row, record, given, known, set });
    });
    const checked = await byOwnChecks(good.map(({ record, known }) => ({ id: known?.id ?? null, record })));
    for (const [at, { row, record, given, known, set }] of good.entries()) {
      const { errors: found, fill } = checked?.[at] ?? { errors: [], fill: {} };
      for (const { field, message } of found) errors.push({ row, column: names.get(field.split('.')[0]!) ?? '', message });
      if (found.length > 0) continue;
      if (!known) planned.inserts.push({ ...record, ...fill });
      else planned.updates.push({ id: known.id, set: { ...set, ...changed(known.values, { ...record, ...fill }, [...Object.keys(given), ...Object.keys(fill)]) } });
    }
    await progress.say({ done: Math.min(records.length, from + SLICE) });
    if (await progress.cancelled()) throw new Cancelled();
  }
  return planned;
}

/** What the type's own checks say of rows; null = it has none. The server's thread answers: it has the person's rights. */
async function byOwnChecks(rows: RowToCheck[]): Promise<CheckedRow[] | null> {
  const answers: CheckedRow[] = [];
  for (let from = 0; from < rows.length; from += ASKED_AT_ONCE) {
    parentPort!.postMessage({ rows: rows.slice(from, from + ASKED_AT_ONCE) });
    for (;;) {
      const [message] = (await once(parentPort!, 'message')) as [string | { checked: CheckedRow[] | null }];
      // The word of a person meanwhile; a cancelled run says so in its own row.
      if (typeof message === 'string') continue;
      if (message.checked === null) return null;
      answers.push(...message.checked);
      break;
    }
    if (await progress.cancelled()) throw new Cancelled();
  }
  return answers;
}

const moments = new Set(screen.fields.filter((field) => field.type === 'datetime' && !field.seconds).map((field) => field.name));

function minuteOf(value: unknown): number | null {
  return value === null ? null : Math.floor(Date.parse(String(value)) / 60_000);
}

const amounts = new Set(screen.fields.filter((field) => ['money', 'decimal', 'quantity', 'percent'].includes(field.type)).map((field) => field.name));
const rowFields = new Set(screen.fields.filter((field) => field.rows).map((field) => field.name));

/** A row with the ids of single references whose names are certain; the others are as if nothing were written. */
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

/** Names of one cell: a list for refs, the whole text for a single reference. */
function namesIn(field: Field, cell: unknown): string[] {
  const text = String(cell).trim();
  return field.type === 'refs' ? text.split(',').map((part) => part.trim()).filter(Boolean) : [text];
}

/** Keys and names that the file itself brings: a row may refer to another row of the same file by mistake of order. */
function ownKeys(texts: Map<Field, Set<string>>, records: { record: Record<string, unknown> }[]): Set<string> {
  const own = new Set<string>();
  if (![...texts.keys()].some((field) => field.ref!.type === screen.name)) return own;
  for (const { record } of records) for (const name of screen.label) if (typeof record[name] === 'string') own.add(record[name].toLowerCase());
  return own;
}

const defaults = { ...Object.fromEntries(screen.fields.filter((field) => field.default !== undefined && !field.rows).map((field) => [field.name, field.default])), ...own };

function keyText(key: string[], given: Record<string, unknown>): string | null {
  const record = { ...own, ...given };
  const parts = key.map((name) => (moments.has(name) && record[name] !== null && record[name] !== undefined ? minuteOf(record[name]) : record[name]));
  if (!emptyCounts(key) && parts.some((part) => part === null || part === undefined)) return null;
  return JSON.stringify(parts.map((part) => (part === null || part === undefined ? null : String(part).toLowerCase())));
}

/** Child rows do not travel in sheets: totals and rules over them go by those that are stored. */
async function addChildRows(records: { id: number; values: Record<string, unknown> }[]): Promise<void> {
  const expressions = [...screen.fields.flatMap((field) => field.formula ?? []), ...screen.rules.map(({ assert }) => assert)];
  for (const { name, rows: columns } of screen.fields) {
    if (!columns || !expressions.some((text) => new RegExp(`\\b${name}\\b`).test(text))) continue;
    const names = columns.filter((column) => !column.secret).map((column) => column.name);
    for (const { values } of records) values[name] = [];
    // A record is there once for each key that may mean it.
    const byId = Map.groupBy(records, ({ id }) => id);
    const ids = [...byId.keys()];
    for (let from = 0; from < ids.length; from += SLICE) {
      const rows = await db.query<Record<string, unknown>>(
        `select parent_id, ${names.map((one) => `"${one}"`).join(', ')} from ${childTable(session.tenant.schema, screen.name, name)} where parent_id = any($1) order by parent_id, position`, [ids.slice(from, from + SLICE)]);
      for (const { parent_id: parent, ...row } of rows) for (const { values } of byId.get(parent as number) ?? []) (values[name] as unknown[]).push(row);
    }
  }
}

/** The stored records that rows of the sheet mean, by the first unique key whose fields the row fills. */
async function existingRecords(records: Record<string, unknown>[]): Promise<{ find(record: Record<string, unknown>): { id: number; values: Record<string, unknown> } | undefined }> {
  const stored = new Map<string, { id: number; values: Record<string, unknown> }>();
  const columns = screen.fields.filter((field) => !field.rows && !field.secret).map((field) => `${columnSql(field, 't')} as "${field.name}"`);
  const ofCompany = screen.scope === 'entity';
  for (const key of keys) {
    const first = key[0]!;
    const values = [...new Set(records.flatMap((record) => (keyText(key, record) === null ? [] : [String(record[first] ?? own[first] ?? '').toLowerCase()])))];
    for (let from = 0; from < values.length; from += SLICE) {
      const rows = await db.query<Record<string, unknown>>(
        `select t.id, ${columns.join(', ')} from ${tableName(session.tenant.schema, screen.name)} t
         where ${emptyCounts(key) ? `coalesce(lower(t."${first}"::text), '')` : `lower(t."${first}"::text)`} = any($1)${ofCompany ? ' and entity_id = $2' : ''}`,
        [values.slice(from, from + SLICE), ...(ofCompany ? [session.entityId] : [])],
      );
      for (const { id, ...row } of rows) {
        const text = keyText(key, row);
        if (text !== null) stored.set(`${key.join()}=${text}`, { id: id as number, values: row });
      }
    }
  }
  await addChildRows([...stored.values()]);
  return {
    find(record) {
      for (const key of keys) {
        const text = keyText(key, record);
        const found = text === null ? undefined : stored.get(`${key.join()}=${text}`);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** What the sheet changes of a stored record, among the columns it brings and what is computed from them. */
function changed(before: Record<string, unknown>, after: Record<string, unknown>, brought: string[]): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  const computed = screen.fields.filter((field) => field.formula !== undefined).map((field) => field.name);
  for (const name of [...brought, ...computed]) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    // A key written in other capitals still means this record; it is not a wish to rename it.
    if (keys.some((key) => key.includes(name)) && String(from).toLowerCase() === String(to).toLowerCase()) continue;
    // Sheets show moments to the minute.
    if (moments.has(name) && minuteOf(from) === minuteOf(to)) continue;
    // 10 and 10.0000 are the same amount.
    if (amounts.has(name) && from !== null && to !== null && new Decimal(String(from)).equals(new Decimal(String(to)))) continue;
    if (JSON.stringify(to) !== JSON.stringify(from)) set[name] = to;
  }
  return set;
}

class Cancelled extends Error {}

async function write({ inserts, updates }: Planned): Promise<void> {
  const total = inserts.length + updates.length;
  await progress.say({ state: 'writing', done: 0, total });
  const what = `import ${task.runId}`;
  await db.transaction(async (tx) => {
    let done = 0;
    for (let from = 0; from < inserts.length; from += SLICE) {
      const batch = inserts.slice(from, from + SLICE);
      await engine.insertMany(tx, session, screen, batch, what);
      await progress.say({ done: (done += batch.length) });
      if (await progress.cancelled()) throw new Cancelled();
    }
    for (let from = 0; from < updates.length; from += SLICE) {
      const batch = updates.slice(from, from + SLICE);
      await engine.updateMany(tx, session, screen, batch, what);
      await progress.say({ done: (done += batch.length) });
      if (await progress.cancelled()) throw new Cancelled();
    }
  });
  await progress.say({ state: 'imported', done: total });
}

async function finish(planned: Planned): Promise<void> {
  if (options.mode === 'all_or_nothing' && planned.errors.length > 0) throw new AppError(422, 'invalid', 'Nothing was imported: correct the rows with errors, or choose to import the good rows only.');
  await write(planned);
}

async function guarded(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Cancelled) await progress.say({ state: 'cancelled', message: 'Cancelled. Nothing was saved.' });
    else if (error instanceof AppError) await progress.say({ state: 'failed', message: error.message });
    else {
      await progress.say({ state: 'failed', message: 'The import stopped because of a fault of ours. Nothing was saved. Please try again.' });
      parentPort!.postMessage({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
    return false;
  }
}

let planned: Planned | null = null;
const checked = await guarded(async () => {
  planned = await check();
  planned.errors.sort((a, b) => a.row - b.row);
  await progress.say({
    counts: { insert: planned.inserts.length, update: planned.updates.length, unchanged: planned.unchanged, error_count: planned.errors.length },
    errors: planned.errors.slice(0, 1_000),
  });
  if (!options.commit) await progress.say({ state: 'checked' });
});
if (checked && !options.commit) {
  // Waits a while with its findings in memory, so that the commit need not check again.
  parentPort!.postMessage({ waits: true });
  const enough = new AbortController();
  const answer = await Promise.race([
    once(parentPort!, 'message').then(([message]) => message as string),
    setTimeout(10 * 60_000, 'tired', { signal: enough.signal }).catch(() => 'tired'),
  ]);
  enough.abort();
  if (answer === 'commit') await guarded(() => finish(planned!));
} else if (checked) await guarded(() => finish(planned!));
await db.close();
parentPort!.close();
