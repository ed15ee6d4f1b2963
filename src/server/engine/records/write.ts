import { refuseLocked } from '../workflow/locked_fields.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import { ROWS_VERSION, rowsSavedApart } from '../../../descriptor/words/field/x_save.ts';
import { stateField } from '../../../descriptor/workflow.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { withComposedDefaults } from '../../../descriptor/default_values.ts';
import { recompute } from '../../../descriptor/validate.ts';
import { rowNeeds } from '../../../descriptor/row_needs.ts';
import type { RowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { columnFields } from '../../db/columns.ts';
import { entryPart } from '../../db/search_entries.ts';
import { opened, sealed } from './encrypted.ts';
import { closedErrors, fieldsWithClosedPeriods } from './closed_periods.ts';
import { fetchesAny, followReferences } from './fetched.ts';
import { givenRowsRemoved } from './given_rows.ts';
import { changeOf, changedBy, staleVersion, storedChange } from './history.ts';
import type { WriteContext } from './write_context.ts';
import { writtenRows } from './changed_rows.ts';
import { bound, insertStatement, recordset } from './insert_statement.ts';
import { refuseNumber, seriesOf, takeAside } from './numbering.ts';
import { unitOf } from './unit_of_work.ts';
import { fileErrors } from './named_files.ts';
import { withKnownChoices } from './known_choices.ts';
import { isOpened } from '../../../descriptor/opened_fields.ts';
import { ownDefaults } from './own_defaults.ts';
import { hasParts, keepComputed, movedRows, staleRows, writeParts } from './part_rows.ts';
import type { SomeRows } from './read.ts';
import { readForWriting, readRecord, readWritten, readWrittenRows } from './read.ts';
import { referenceErrors } from './references.ts';
import { rangeConflicts } from './ranges.ts';
import { namedRows, wholeLists } from './rows_part.ts';
import { actingOn, scopeErrors } from '../../access/rights/scope.ts';
import { shapeErrors } from './shapes.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { checkMove, lockTree, moveInTree } from './tree.ts';
import { duplicateErrors, refusalOf } from './uniqueness.ts';
import { unseenValues } from './unseen_values.ts';
import { copiesFrom, findErrors, findSettingErrors, prepare, storable, unstorable } from './validate_record.ts';

type Row = Record<string, unknown>;

const ONLY_DUPLICATE = 'duplicate';
const MAX_ATTEMPTS = 3;

/** The errors of a record, as far as they are known without the database. */
export function findingsAlone(
  { session, screen, screens }: WriteContext,
  record: Row,
  stored: WireRecord | null,
  unknown: FieldError[],
  unseen: Row | null = null,
): FieldError[] {
  const found = [...unknown, ...findErrors(screen, record, stored, unseen)];
  const named = new Set(found.map(({ field }) => field));
  return [
    ...found,
    ...unstorable(screen, record, stored).filter(({ field }) => !named.has(field)),
    ...findSettingErrors(screen, screens, record),
    ...scopeErrors(session, screen, record),
    ...lostRows(screen, record, stored),
  ];
}

/** Whether the input sends a state other than the record's. */
function changesState({ workflow }: Screen, input: Row, stored: Row | null): boolean {
  if (!workflow) return false;
  const sent = input[workflow.field];
  return sent !== undefined && sent !== (stored?.[workflow.field] ?? workflow.states[0]!.name);
}

/** The error for PUT, bulk edit and import when they send a state. */
function stateByStepsAlone(screen: Screen): AppError {
  const field = stateField(screen)!;
  return invalid([
    {
      field: field.name,
      message: `${field.title} changes by its steps. Leave it out, and take the step at the record.`,
    },
  ]);
}

/** All findings about a record at once; taken keys separately from the others. */
async function findingsOf(
  context: WriteContext,
  record: Row,
  stored: WireRecord | null,
  unknown: FieldError[],
): Promise<{ errors: FieldError[]; duplicates: FieldError[] }> {
  const { session, screen, screens, hooks } = context;
  const unseen = stored && (await unseenValues(session, screen, screens, [stored.id])).get(stored.id);
  const errors = findingsAlone(context, record, stored, unknown, unseen ?? null);
  const wrong = new Set(errors.map((error) => error.field));
  const fits = storable(screen, record, stored);
  const inUse = { ...fits, active: stored?.active ?? true };
  const ranged = errors.length === 0 || !unplaced(screen, wrong);
  const [references, duplicates, own, files, ranges, closed, shaped] = await Promise.all([
    referenceErrors(session, screen, screens, fits, stored),
    duplicateErrors(session, screen, inUse, stored?.id ?? null, stored?.active === true ? stored : null),
    hooks.check(session, screen, withKnownChoices(screen.fields, fits), stored, screens),
    fileErrors(session, screen, fits, stored, context.mayOpenFile),
    ranged ? rangeConflicts(session, screen, [{ id: stored?.id ?? null, record: inUse }]) : [],
    closedErrors(session, screens, screen, record, stored),
    shapeErrors(session, screen, screens, fits, stored),
  ]);
  for (const { field } of files) wrong.add(field);
  errors.push(...files);
  for (const error of [...references, ...own, ...ranges.flat(), ...closed, ...shaped])
    if (!wrong.has(error.field)) errors.push(error);
  return { errors, duplicates };
}

/** Throws all findings about a record at once, or nothing. @throws AppError 422, or 409 if only a key is taken */
async function check(
  context: WriteContext,
  record: Row,
  stored: WireRecord | null,
  unknown: FieldError[],
): Promise<void> {
  const { errors, duplicates } = await findingsOf(context, record, stored, unknown);
  if (errors.length === 0 && duplicates[0])
    throw new AppError(409, ONLY_DUPLICATE, duplicates[0].message, { field: duplicates[0].field, details: duplicates });
  errors.push(...duplicates);
  // If rows are saved separately, other errors of their record wait for its own save or step.
  const findings =
    context.cells === undefined ? errors : errors.filter(({ field }) => field.startsWith(`${context.cells}.`));
  if (findings.length > 0) throw invalid(findings);
}

/** The record with the values copied from its references, and the values computed from them. */
async function followed(
  { session, screen, screens }: WriteContext,
  record: Row,
  stored: WireRecord | null,
): Promise<Row> {
  if (!fetchesAny(screen, screens) || unstorable(screen, record, stored).length > 0) return record;
  const changed = await followReferences(session, screen, screens, [{ record, stored }]);
  const empty = stored
    ? []
    : screen.fields.filter(
        (field) => field.default !== undefined && copiesFrom(field, record) && record[field.name] === null,
      );
  for (const { name, default: value } of empty) record[name] = structuredClone(value);
  return changed.size > 0 || empty.length > 0 ? recompute(screen, record) : record;
}

/** Whether a range of the record has an invalid value. */
function unplaced(screen: Screen, wrong: ReadonlySet<string>): boolean {
  const names = screen.ranges?.flatMap(({ from, to, key, rows }) => (rows ? [rows] : [from, to, ...key])) ?? [];
  return [...wrong].some((path) => names.includes(path.split('.')[0]!));
}

/** The values that hooks fill in; none for a record that will be refused anyway. */
async function filled(
  { session, screen, screens, hooks }: WriteContext,
  record: Row,
  stored: WireRecord | null,
): Promise<Row> {
  if (!hooks.fill || hooks.fills?.(screen) === false || unstorable(screen, record, stored).length > 0) return {};
  return hooks.fill(session, screen, record, stored, screens);
}

/** The record with the values that functions of modules fill in; a record that will be refused anyway is unchanged. */
async function withFills({ screen, fill }: WriteContext, record: Row, stored: WireRecord | null): Promise<Row> {
  return fill && unstorable(screen, record, stored).length === 0 ? fill(record, stored) : record;
}

/** Rows that only an action may remove; nothing for a record that will be refused anyway. */
async function rowsRemoved(
  { screen, fill }: WriteContext,
  record: Row,
  stored: WireRecord | null,
): Promise<FieldError[]> {
  return unstorable(screen, record, stored).length === 0 ? givenRowsRemoved(screen, fill, record, stored) : [];
}

/** The record as it would be after saving, with everything filled in; nothing is checked. */
export async function recordAsTyped(context: WriteContext, input: Row, stored: WireRecord | null): Promise<Row> {
  const { session, screen } = context;
  const { record } = prepare(screen, input, stored, await ownDefaults(session, screen));
  return withFills(context, await followed(context, record, stored), stored);
}

/** The errors that saving a record would cause. `id`: the stored one that is changed. */
export async function findingsOfTyped(asked: WriteContext, input: Row, id: number | null): Promise<FieldError[]> {
  const { screen, screens } = asked;
  const stored = id === null ? null : await readForWriting(asked.session, screen, screens, id, new Map());
  const context = stored ? { ...asked, session: actingOn(asked.session, stored) } : asked;
  const { session } = context;
  const full =
    stored &&
    (opened(context.vault, screen, {
      ...(await withRowSecrets(session, screen, stored)),
      ...(await secretValues(session, screen, stored.id)),
    }) as WireRecord);
  const sent = full ? wholeLists(screen, input, full).input : input;
  const prepared = prepare(screen, sent, full, await ownDefaults(session, screen));
  const given = withComposedDefaults(screen, await followed(context, prepared.record, full), sent, full === null);
  Object.assign(given, await filled(context, given, full));
  const typed = await withFills(context, given, full);
  const { errors, duplicates } = await findingsOf(context, typed, full, [
    ...prepared.errors,
    ...(await rowsRemoved(context, typed, full)),
  ]);
  return [...errors, ...duplicates];
}

/**
 * Child rows sent with an id that is not one of this record's: somebody else removed them, or they belong to another
 * record.
 */
function lostRows(screen: Screen, record: Row, stored: Row | null): FieldError[] {
  return screen.fields.flatMap((field) => {
    const rows = record[field.name];
    if (!field.rows || !Array.isArray(rows)) return [];
    const known = new Set(((stored?.[field.name] as Row[] | null | undefined) ?? []).map((row) => row.id));
    const seen = new Set<unknown>();
    return (rows as unknown[]).flatMap((row, index) => {
      const id = row !== null && typeof row === 'object' ? (row as Row).id : undefined;
      if (id === undefined || id === null) return [];
      if (known.has(id) && !seen.has(id)) {
        seen.add(id);
        return [];
      }
      return [
        {
          field: `${field.name}.${index}`,
          message: `This row of ${field.title} no longer exists. Add it as a new one.`,
        },
      ];
    });
  });
}

/**
 * Adds a record. `guard` runs in the transaction of the insert, before it; it may take locks and refuse.
 * @returns the stored record
 */
export async function createRecord(
  context: WriteContext,
  input: Row,
  guard?: (tx: Queryable) => Promise<void>,
): Promise<WireRecord> {
  const { session, screen, screens, hooks, what } = context;
  const { db } = session.tenant;
  if (changesState(screen, input, null)) throw stateByStepsAlone(screen);
  const prepared = prepare(screen, input, null, await ownDefaults(session, screen));
  const { errors } = prepared;
  if (hasParts(screen)) errors.push(...movedRows(screen, screens, input, null));
  const given = withComposedDefaults(screen, await followed(context, prepared.record, null), input, true);
  Object.assign(given, await filled(context, given, null));
  const record = await withFills(context, given, null);
  // The insert statement checks references and keys itself; the errors are queried only if it wrote nothing.
  // Conditional keys and ranges are checked beforehand: their messages name the conflicting record.
  if (
    screen.ranges !== undefined ||
    screen.uniqueWhen !== undefined ||
    fieldsWithClosedPeriods(screen).length > 0 ||
    findingsAlone(context, record, null, errors).length > 0 ||
    (await hooks.check(session, screen, record, null, screens)).length > 0 ||
    (await fileErrors(session, screen, record, null, context.mayOpenFile)).length > 0 ||
    (await shapeErrors(session, screen, screens, record, null)).length > 0
  )
    await check(context, record, null, errors);
  // A preview assigns no number, and does not lock the counter.
  const isNumbered = screen.number !== undefined && unitOf(session)?.preview !== true;
  const series = isNumbered ? await (await seriesOf(db, session, screen, screens))(record) : null;
  const isLoose = series !== null && screen.number?.gapless === false;
  if (isLoose) series.value = await takeAside(session, screen, series);
  const { statement, withRows } = insertStatement({
    session,
    screen,
    screens,
    record,
    kept: sealed(context.vault, screen, record),
    what,
    series,
  });
  // A number locks its counter until the transaction ends, and two would wait for each other: those records are
  // inserted separately.
  const alike = { ...statement, shares: series === null || isLoose };
  const insert = async (on: Queryable, text = statement): Promise<WireRecord | undefined> => {
    const rows = await on.query<WireRecord>(text).catch((error: unknown) => {
      throw refusalOf(error, screen, record);
    });
    return rows[0];
  };
  // Below a record that is being moved, the ancestors would be outdated: wait for the move.
  const below = screen.tree?.closure === true && typeof record[screen.tree.parent] === 'number';
  const audit = context.audit?.keeps(screen, 'I') === true ? context.audit : null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row =
      guard || below || audit || screen.number?.most !== undefined
        ? await db.transaction(async (tx) => {
            await guard?.(tx);
            if (below) await lockTree(tx, session, screen);
            const made = await insert(tx);
            if (made) await refuseNumber(tx, session, screen, made);
            if (made) await audit?.store(tx, session, screen, { id: made.id, op: 'I' });
            return made;
          })
        : await insert(db, alike);
    if (row && hasParts(screen)) {
      const given = new Set(screen.fields.flatMap(({ name, part }) => (part && record[name] ? [name] : [])));
      const made = await writeParts(context, row.id, null, record, given);
      await keepComputed(context, { ...made, id: row.id } as WireRecord);
      return readWritten(session, screen, screens, row.id);
    }
    if (row) return withRows ? readWritten(session, screen, screens, row.id) : row;
    // No error is left: the conflict has disappeared in the meantime.
    await check(context, record, null, errors);
  }
  throw new AppError(503, 'unavailable', 'Others are changing what this record refers to. Please try again.');
}

/**
 * Changes a record. `input` holds the changes and the version that was read; for child rows the whole list, or a
 * partial change. @throws AppError 404, 409, 422
 */
export async function updateRecord(asked: WriteContext, id: number, input: Row): Promise<WireRecord> {
  const { screen, screens } = asked;
  const stored = await readForWriting(asked.session, screen, screens, id, someRows(asked, input));
  const session = actingOn(asked.session, stored);
  const context = { ...asked, session };
  if (!asked.step && changesState(screen, input, stored)) throw stateByStepsAlone(screen);
  const version = Number(input.version);
  if (!Number.isInteger(version))
    throw new AppError(400, 'bad_request', 'Send the version you are changing.', { field: 'version' });
  const stale = hasParts(screen) ? staleRows(screen, input, stored, changedBy(stored)) : [];
  if (version !== stored.version || stale.length > 0) {
    const refused = await staleVersion(context, await readRecord(asked.session, screen, screens, id), version);
    const { status, code, message, extra } = refused;
    throw stale[0] ? new AppError(status, code, message, { field: stale[0].field, details: stale, extra }) : refused;
  }
  const full = opened(context.vault, screen, {
    ...(await withRowSecrets(session, screen, stored)),
    ...(await secretValues(session, screen, id)),
  }) as WireRecord;
  const sent = wholeLists(screen, input, full);
  return changeRecord(asked, context, stored, full, sent.input).catch((error: unknown) => {
    throw sent.inWords(error);
  });
}

/** The error for a form that sends rows of a record whose rows are saved by cell. */
function savedApart({ name, title }: Field): AppError {
  const message = `The rows of ${title} are saved by themselves, cell by cell: PATCH …/rows/${name}. Leave them out here.`;
  return invalid([{ field: name, message }]);
}

/**
 * Changes separately saved rows, within a unit that has locked the record. `ids`: the rows that `make` needs
 * completely; it returns the partial change to write. @returns null if there is nothing to write
 */
export async function updateRows(
  asked: WriteContext,
  field: Field,
  id: number,
  ids: readonly number[],
  make: (stored: Row) => { set: object; add: Row[]; remove: number[] },
): Promise<WireRecord | null> {
  const { screen, screens, rows } = asked;
  const needs = rows === 'changed' ? rowNeeds(screen) : new Map<string, string[]>();
  const some = new Map(
    [...needs].map(([name, columns]) => [name, { ids: name === field.name ? ids : [], columns }] as const),
  );
  const stored = await readForWriting(asked.session, screen, screens, id, some);
  const context = { ...asked, session: actingOn(asked.session, stored), cells: field.name };
  const full = opened(context.vault, screen, {
    ...stored,
    ...(await secretValues(context.session, screen, id)),
  }) as WireRecord;
  const part = make(full);
  if (Object.keys(part.set).length + part.add.length + part.remove.length === 0) return null;
  const sent = wholeLists(screen, { [field.name]: part }, full);
  const max = field.schema.maxItems;
  const count = (sent.input[field.name] as Row[]).length;
  if (typeof max === 'number' && part.add.length > 0 && count > max)
    throw invalid([{ field: field.name, message: `${field.title} takes at most ${formatNumber(max)} rows.` }]);
  return changeRecord(asked, context, stored, full, sent.input).catch((error: unknown) => {
    throw sent.inWords(error);
  });
}

/** The child rows of which a change needs only some columns: those that its partial changes do not mention. */
function someRows({ screen, rows }: WriteContext, input: Row): Map<string, SomeRows> {
  const found = new Map<string, SomeRows>();
  if (rows !== 'changed') return found;
  for (const [name, columns] of rowNeeds(screen)) {
    const sent = input[name];
    const ids = sent === undefined ? [] : namedRows(sent);
    if (ids) found.set(name, { ids, columns });
  }
  return found;
}

/** The same for input with whole lists of child rows. `full`: the stored record with its secrets. */
async function changeRecord(
  asked: WriteContext,
  context: WriteContext,
  stored: WireRecord,
  full: WireRecord,
  input: Row,
): Promise<WireRecord> {
  const { session, screen, screens } = context;
  const { id, version } = stored;
  const prepared = prepare(screen, input, full, await ownDefaults(session, screen));
  const { errors } = prepared;
  if (hasParts(screen)) errors.push(...movedRows(screen, screens, input, full));
  const given = withComposedDefaults(screen, await followed(context, prepared.record, full), input, false);
  Object.assign(given, await filled(context, given, full));
  let record = await withFills(context, given, full);
  let change = changeOf(screen, full, record);
  if (screen.workflow && !asked.step) {
    if (screen.workflow.field in change) throw stateByStepsAlone(screen);
    if (!isOpened(screen)) await refuseLocked(session, screens, screen, stored, change);
  }
  errors.push(...(await rowsRemoved(context, record, full)));
  if (Object.keys(change).length === 0 && errors.length === 0) return written(context, id, {});
  await check(context, record, full, errors);
  const apart = rowsSavedApart(screen.fields).find(({ name }) => name in change);
  if (apart) {
    if (context.cells === undefined && context.what === 'form') throw savedApart(apart);
    record = { ...record, [ROWS_VERSION]: Number(stored[ROWS_VERSION] ?? 0) + 1 };
    change[ROWS_VERSION] = [stored[ROWS_VERSION] ?? null, record[ROWS_VERSION]];
  }
  const parts = new Set(screen.fields.flatMap(({ name, part }) => (part && name in change ? [name] : [])));
  if (parts.size > 0) {
    record = await writeParts(context, id, full, record, parts);
    change = changeOf(screen, full, record);
  }
  const delegator = (await asked.delegators?.())?.[0];
  const values = new SqlParams();
  const statement = updateStatement(
    context,
    id,
    version,
    sealed(context.vault, screen, record),
    change,
    delegator?.userId ?? null,
    values,
  );
  /** Its history; undefined if the version was outdated. */
  const run = async (on: Queryable): Promise<Row | undefined> => {
    const rows = await on.query<{ change: Row }>(preparedStatement(statement, values.list)).catch((error: unknown) => {
      throw refusalOf(error, screen, record);
    });
    return rows[0]?.change;
  };
  const decision = asked.step?.decision ?? null;
  const { tree } = screen;
  const moves = tree !== null && tree !== undefined && change[tree.parent] !== undefined;
  const audit = decision || asked.audit?.keeps(screen, 'U') === true ? asked.audit : undefined;
  const done =
    moves || audit
      ? await session.tenant.db.transaction(async (tx) => {
          if (moves) await checkMove(tx, session, screen, screens, id, record[tree.parent] as number | null);
          const kept = await run(tx);
          if (!kept) return undefined;
          if (moves && tree.closure) await moveInTree(tx, session, screen, id, record[tree.parent] as number | null);
          await audit?.store(tx, session, screen, { id, op: 'U', change: kept, ...(decision && { decision }) });
          return kept;
        })
      : await run(session.tenant.db);
  // Read after the transaction: a caller that holds a connection must not wait for a second one.
  if (!done) throw await staleVersion(context, await readRecord(session, screen, screens, id), version);
  asked.wrote?.(id, done, decision);
  return written(context, id, done);
}

/** The record as written, with only the rows in `change` if no more is requested. */
function written({ session, screen, screens, rows }: WriteContext, id: number, change: Row): Promise<WireRecord> {
  return rows === 'changed'
    ? readWrittenRows(session, screen, screens, id, writtenRows(screen, change))
    : readWritten(session, screen, screens, id);
}

/** The statement that writes the changes of a record, its child rows and its history entry. */
export function updateStatement(
  { session, screen, what, cells }: Pick<WriteContext, 'session' | 'screen' | 'what' | 'cells'>,
  id: number,
  version: number,
  record: Row,
  change: Record<string, [unknown, unknown]>,
  forId: number | null,
  values: SqlParams,
): string {
  const { schema } = session.tenant;
  const own = columnFields(screen.fields).filter((field) => field.name in change);
  const custom = own.filter((field) => field.custom);
  const set = own
    .filter((field) => !field.custom)
    .map(
      (field) =>
        `${quoted(field.name)} = ${values.bind(bound(field, record[field.name]))}::${fieldType(field.type).sql(field)}`,
    );
  if (custom.length > 0)
    set.push(
      `custom = jsonb_strip_nulls(coalesce(custom, '{}') || ${values.bind(JSON.stringify(Object.fromEntries(custom.map(({ name }) => [name, record[name] ?? null]))))}::jsonb)`,
    );
  if (cells === undefined) set.push('version = version + 1');
  set.push('updated_at = now()', `updated_by = ${values.bind(session.userId)}`);
  const entry = entryPart(schema, screen, new Set(Object.keys(change)));
  const returns = ['id', 'version', ...(entry?.returns ?? [])].join(', ');
  const parts = [
    `r as (update ${tableName(schema, screen.name)} set ${set.join(', ')} where id = ${values.bind(id)} and version = ${values.bind(version)} returning ${returns})`,
    ...(entry ? [entry.part] : []),
  ];
  const history = storedChange(screen, change);
  const added: string[] = [];
  for (const field of screen.fields) {
    if (!field.rows || field.part || !(field.name in change)) continue;
    const fresh = rowParts(screen, schema, field, record, change[field.name]!, history, values, parts);
    if (fresh !== null) added.push(fresh);
  }
  const kept = values.bind(JSON.stringify(history.change));
  parts.push(
    `h as (insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change, for_id)
     select ${values.bind(screen.name)}, r.id, ${values.bind(session.entityId)}::bigint, r.version, 'U', ${values.bind(session.userId)}::bigint, ${values.bind(what)}, ${[`${kept}::jsonb`, ...added].join(' || ')}, ${values.bind(forId)}::bigint from r returning change)`,
  );
  return `with ${parts.join(', ')} select r.id, r.version, h.change from r, h`;
}

/**
 * The parts of the statement that write the child rows of a field: removed, changed and added ones. Positions are
 * reassigned only if rows changed their order; otherwise added rows come last.
 * @returns the history of the field, if rows were added: their ids are known once they are written
 */
function rowParts(
  screen: Screen,
  schema: string,
  field: Field,
  record: Row,
  [before]: [unknown, unknown],
  history: ReturnType<typeof storedChange>,
  values: SqlParams,
  parts: string[],
): string | null {
  const table = childTable(schema, screen.name, field.name);
  const columns = recordset(field.rows!);
  const names = field.rows!.map((column) => quoted(column.name));
  const differs = history.change[field.name] as RowsChange;
  const stored = Array.isArray(before) ? (before as Row[]).map(({ id }) => id) : [];
  const rows = (record[field.name] as Row[] | null) ?? [];
  const isNew = ({ id }: Row) => id === undefined || id === null;
  // Most saves leave the rows where they are: nothing is looked up for a thousand of them.
  const inPlace = rows.length === stored.length && rows.every(({ id }, at) => id === stored[at] && id !== undefined);
  const placed = new Map(inPlace ? [] : rows.map((row, at) => [row, at]));
  const withPlace = (row: Row) => ({ ...row, position: placed.get(row) });
  const known = inPlace ? rows : rows.filter((row) => !isNew(row));
  const fresh = inPlace ? [] : rows.filter(isNew);
  const left = new Set(inPlace ? [] : known.map(({ id }) => id));
  const gone = inPlace ? [] : stored.filter((id) => !left.has(id));
  if (gone.length > 0)
    parts.push(
      `${quoted(`d_${field.name}`)} as (delete from ${table} c using r where c.parent_id = r.id and c.id = any(${values.bind(gone)}::bigint[]))`,
    );
  const inOrder =
    inPlace ||
    (rows.slice(0, known.length).every((row) => !isNew(row)) &&
      stored.filter((id) => left.has(id)).every((id, at) => known[at]!.id === id));
  const changed = known.filter(({ id }) => String(id) in differs);
  if (inOrder ? changed.length > 0 : known.length > 0) {
    const written = inOrder
      ? changed
      : known.map((row) => ({ ...withPlace(row), 'x-changed': String(row.id) in differs }));
    const place = inOrder ? [] : ['"position" = x."position"'];
    parts.push(
      `${quoted(`u_${field.name}`)} as (update ${table} c set ${[...place, ...names.map((name) => `${name} = x.${name}`)].join(', ')} from r, jsonb_to_recordset(${values.bind(JSON.stringify(written))}::jsonb) x(${columns}${inOrder ? '' : ', "x-changed" boolean'}) where c.id = x.id and c.parent_id = r.id${inOrder ? '' : ' and (x."x-changed" or c."position" <> x."position")'})`,
    );
  }
  if (fresh.length === 0) return null;
  // Remaining rows may be further down than their position in the list: rows before them were removed.
  const last = inOrder
    ? `greatest(x."position", (select max(o."position") from ${table} o where o.parent_id = r.id) + x."position" - ${known.length} + 1)`
    : 'x."position"';
  parts.push(
    `${quoted(`c_${field.name}`)} as (insert into ${table} (parent_id, "position"${names.map((name) => `, ${name}`).join('')}) select r.id, ${last}${names.map((name) => `, x.${name}`).join('')} from r, jsonb_to_recordset(${values.bind(JSON.stringify(fresh.map(withPlace)))}::jsonb) x(${columns}) order by x."position" returning id, "position")`,
  );
  const texts = [...(history.added.get(field.name)?.values() ?? [])];
  const name = `${values.bind(field.name)}::text`;
  return `jsonb_build_object(${name}, ${values.bind(JSON.stringify(differs))}::jsonb || (select jsonb_object_agg('+' || n.id, a.value) from (select id, row_number() over (order by "position", id) as at from ${quoted(`c_${field.name}`)}) n join jsonb_array_elements(${values.bind(JSON.stringify(texts))}::jsonb) with ordinality a(value, at) on a.at = n.at))`;
}

/** Secret values stay on the server; they are read only to detect unchanged ones. */
async function secretValues(session: Session, screen: Screen, id: number): Promise<Row> {
  const secrets = columnFields(screen.fields).filter((field) => field.secret);
  if (secrets.length === 0) return {};
  const text = `select ${secrets.map((field) => quoted(field.name)).join(', ')} from ${tableName(session.tenant.schema, screen.name)} where id = $1`;
  const [row] = await session.tenant.db.query<Row>(preparedStatement(text, [id]));
  if (!row) throw notFound();
  return row;
}

/** The same for child rows, by field and row id: a row sent back without a secret leaves it unchanged. */
async function withRowSecrets(session: Session, screen: Screen, stored: WireRecord): Promise<WireRecord> {
  const full: WireRecord = { ...stored };
  for (const field of screen.fields) {
    const secrets = field.rows?.filter((column) => column.secret) ?? [];
    const rows = stored[field.name];
    if (secrets.length === 0 || !Array.isArray(rows) || rows.length === 0) continue;
    const text = `select id, ${secrets.map((column) => quoted(column.name)).join(', ')} from ${childTable(session.tenant.schema, screen.name, field.name)} where parent_id = $1`;
    const byId = new Map(
      (await session.tenant.db.query<Row>(preparedStatement(text, [stored.id]))).map((row) => [row.id, row]),
    );
    full[field.name] = (rows as Row[]).map((row) => ({ ...row, ...byId.get(row.id) }));
  }
  return full;
}
