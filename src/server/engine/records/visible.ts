import { productScreen } from '../../../descriptor/overlay.ts';
import { columnMisfit } from '../../../descriptor/fieldtypes/column_range.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { underNamesOfNow } from './history.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { sightInputs, sightOf } from '../../../descriptor/visible.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { literal, quoted, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { seesAll, sightSql } from './visible_sql.ts';

type Row = Record<string, unknown>;
type Screens = ReadonlyMap<string, Screen>;

/** A stored record with these values replaced; `id` null = a new one. */
export interface Looked {
  id: number | null;
  values?: Row;
}

/** Represents everybody: what is stored for others contains only what each of them may see. */
export function asPublic(session: Session): Session {
  const { actsFor: _actsFor, ...own } = session;
  return { ...own, userId: 0, employeeId: null };
}

const nothing: ReadonlySet<string> = new Set();

/** Whether some people do not see all of a type's records. */
function hasSight(screen: Screen): boolean {
  return sightOf(productScreen(screen)).size > 0;
}

/** Whether a type, or a part within its records, has fields that some people do not see. */
export function touchesSight(screen: Screen, screens: Screens): boolean {
  return (
    hasSight(screen) ||
    screen.fields.some(({ part }) => {
      const of = part && screens.get(part.type);
      return of !== undefined && of !== screen && touchesSight(of, screens);
    })
  );
}

/** The fields, or `rows.column`, hidden from the reader in each record, in order. */
export async function hiddenFields(
  session: Session,
  screen: Screen,
  screens: Screens,
  records: readonly Looked[],
): Promise<ReadonlySet<string>[]> {
  const whole = productScreen(screen);
  const sight = sightOf(whole);
  if (sight.size === 0 || seesAll(session) || records.length === 0) return records.map(() => nothing);
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const inputs = sightInputs(whole);
  const masked = new Set(screen.fields.flatMap((field) => (field.masked ? [field.name] : [])));
  // Invalid values are refused by the checks of the record; they are ignored here.
  const fits = (name: string, value: unknown): boolean => {
    const field = inputs.has(name) && !masked.has(name) ? whole.fields.find((one) => one.name === name) : undefined;
    return field !== undefined && columnMisfit(fieldType(field.type).sql(field), value) === null;
  };
  const given = records.map(({ id, values: own = {} }) => ({
    id,
    v: {
      ...(id === null && { created_by: session.userId }),
      ...Object.fromEntries(Object.entries(own).filter(([name, value]) => fits(name, value))),
    },
  }));
  const asked = { session, screen: whole, screens, alias: 't', values };
  const each = [...sight].map(
    ([name, text]) => `case when ${sightSql(asked, text)} then null else ${literal(name)} end`,
  );
  const table = tableName(schema, screen.name);
  // The condition is evaluated on the stored row, overlaid with the sent values.
  const text = `select array_remove(array[${each.join(', ')}], null) as hidden
    from jsonb_array_elements(${values.bind(JSON.stringify(given))}::jsonb) with ordinality x(one, at)
    left join ${table} b on b.id = (x.one ->> 'id')::bigint
    cross join lateral jsonb_populate_record(b, x.one -> 'v') t order by x.at`;
  const rows = await db.query<{ hidden: string[] }>(preparedStatement(text, values.list));
  return rows.map(({ hidden }) => new Set(hidden));
}

/** The part of a change that everybody sees: fields with restricted visibility are left out, whatever the record. */
export function seenByAll(screen: Screen, change: Row): Row {
  return changeWithout(change, new Set(sightOf(productScreen(screen)).keys()));
}

/** Removes hidden values from a row, with their display additions. */
function without(row: Row, hidden: readonly string[]): Row {
  const kept = { ...row };
  for (const name of hidden) for (const one of [name, `${name}__label`, `${name}__set`]) delete kept[one];
  return kept;
}

/** Records as the reader sees them: hidden fields are absent, and `_hidden` lists them for the form. */
export async function seenRecords<T extends Row>(
  session: Session,
  screen: Screen,
  screens: Screens,
  records: readonly T[],
): Promise<T[]> {
  if (records.length === 0 || seesAll(session) || !touchesSight(screen, screens)) return [...records];
  const hidden = await hiddenFields(
    session,
    screen,
    screens,
    records.map((record) => ({ id: typeof record.id === 'number' ? record.id : null, values: record })),
  );
  return Promise.all(records.map((record, at) => seenBut(session, screen, screens, record, hidden[at]!)));
}

/** A record without these fields, and its parts as the reader sees them. */
export async function seenBut<T extends Row>(
  session: Session,
  screen: Screen,
  screens: Screens,
  record: T,
  hidden: ReadonlySet<string>,
): Promise<T> {
  const seen: Row = withoutFields(record, hidden);
  if (hidden.size > 0) seen._hidden = [...hidden];
  for (const { name, part } of screen.fields) {
    const of = part && screens.get(part.type);
    if (of && Array.isArray(seen[name])) seen[name] = await seenRecords(session, of, screens, seen[name] as Row[]);
  }
  return seen as T;
}

function withoutFields(record: Row, hidden: ReadonlySet<string>): Row {
  const seen = without(
    record,
    [...hidden].filter((name) => !name.includes('.')),
  );
  for (const name of hidden) {
    const [rows = '', column] = name.split('.');
    if (column !== undefined && Array.isArray(seen[rows]))
      seen[rows] = (seen[rows] as Row[]).map((row) => without(row, [column]));
  }
  return seen;
}

/** One record as the reader sees it. */
export async function seenRecord<T extends Row>(
  session: Session,
  screen: Screen,
  screens: Screens,
  record: T,
): Promise<T> {
  const [seen] = await seenRecords(session, screen, screens, [record]);
  return seen!;
}

/** The values of an untouched new record. */
export function untouched(screen: Screen): Row {
  return {
    ...Object.fromEntries(
      screen.fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
    ),
    ...(screen.workflow && { [screen.workflow.field]: screen.workflow.states[0]!.name }),
  };
}

/**
 * The sent values of a record, without the empty values of fields hidden from the sender; rows keep their stored values
 * there. `stored` null = a new record. @throws AppError 403 if it has a value for one of them
 */
export async function sentInSight(
  session: Session,
  screen: Screen,
  screens: Screens,
  stored: (Row & { id: number }) | null,
  input: Row,
): Promise<Row> {
  if (seesAll(session) || !touchesSight(screen, screens)) return input;
  // The condition is evaluated on the stored record: nobody can unhide a field with the values they send.
  const looked: Looked = stored ? { id: stored.id } : { id: null, values: { ...untouched(screen), ...input } };
  const [hidden] = await hiddenFields(session, screen, screens, [looked]);
  const sent: Row = { ...input };
  delete sent._hidden;
  const ofRows = new Map<string, string[]>();
  for (const name of hidden!) {
    const [first = '', column] = name.split('.');
    if (column !== undefined) ofRows.set(first, [...(ofRows.get(first) ?? []), column]);
    else if (isEntered(sent[first])) throw outOfSight(screen, first);
    else delete sent[first];
  }
  for (const { name, rows, part } of screen.fields) {
    const of = part && screens.get(part.type);
    const columns = ofRows.get(name) ?? [];
    if (!rows || sent[name] === undefined || (columns.length === 0 && !(of && touchesSight(of, screens)))) continue;
    const before = new Map(rowList(stored?.[name]).map((row) => [row.id, row]));
    const kept = async (row: Row): Promise<Row> => {
      const known = before.get(row.id);
      const known_ = known && typeof known.id === 'number' ? (known as Row & { id: number }) : null;
      const own = of ? await sentInSight(session, of, screens, known_, row) : { ...row };
      const taken = columns.find((column) => isEntered(own[column]));
      if (taken !== undefined) throw outOfSight(screen, name, taken);
      const away = of
        ? [...(await hiddenFields(session, of, screens, [{ id: known_?.id ?? null, values: row }]))[0]!]
        : [];
      // A row sent back without its hidden values keeps them.
      if (known) for (const column of [...columns, ...away]) own[column] = known[column] ?? null;
      return own;
    };
    sent[name] = await eachSent(sent[name], kept);
  }
  return sent;
}

const isEntered = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const rowList = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** The rows in the input, each mapped by `make`: a whole list, or the added and changed rows of a partial change. */
async function eachSent(sent: unknown, make: (row: Row) => Promise<Row>): Promise<unknown> {
  const all = (list: unknown) => (Array.isArray(list) ? Promise.all((list as Row[]).map(make)) : list);
  if (sent === null || typeof sent !== 'object') return sent;
  if (Array.isArray(sent)) return all(sent);
  const { add, set } = sent as Row;
  // A partial change of a row keeps the values it does not mention.
  const refuse = async ([id, row]: [string, unknown]): Promise<[string, unknown]> => {
    if (row === null || typeof row !== 'object') return [id, row];
    const own = await make({ ...row, id: Number(id) });
    return [id, Object.fromEntries(Object.keys(row).map((name) => [name, own[name]]))];
  };
  return {
    ...sent,
    ...(add !== undefined && { add: await all(add) }),
    ...(set !== null &&
      typeof set === 'object' && { set: Object.fromEntries(await Promise.all(Object.entries(set).map(refuse))) }),
  };
}

function outOfSight(screen: Screen, name: string, column?: string): AppError {
  const field = screen.fields.find((one) => one.name === name);
  const title = (column === undefined ? field : field?.rows?.find((one) => one.name === column))?.title ?? name;
  return new AppError(403, 'forbidden', `You may not change "${title}" of this record.`, {
    reason: 'field',
    field: name,
  });
}

/**
 * Changes of a record as the reader sees them: a field's change is shown only if the field was visible when it was
 * made, and is visible now. `changes` are history entries, the newest first.
 */
export async function seenChanges<T extends { id: number; change: unknown; op: unknown }>(
  session: Session,
  screen: Screen,
  screens: Screens,
  record: WireRecord | number,
  changes: readonly T[],
): Promise<T[]> {
  const whole = productScreen(screen);
  const sight = sightOf(whole);
  if (sight.size === 0 || seesAll(session) || changes.length === 0) return [...changes];
  const id = typeof record === 'number' ? record : record.id;
  const inputs = [...sightInputs(whole)];
  const { schema, db } = session.tenant;
  const [now] = await db.query<{ record: Row }>(
    preparedStatement(`select to_jsonb(t) as record from ${tableName(schema, screen.name)} t where t.id = $1`, [id]),
  );
  const last = changes.at(-1)!.id;
  const later = await db.query<{ id: number; change: Row | null }>(
    preparedStatement(
      `select id, change from ${quoted(schema)}.history where record_type = $1 and record_id = $2 and id >= $3 order by id desc`,
      [screen.name, id, last],
    ),
  );
  // From the current record back to its version at each change.
  const at: Row = Object.fromEntries(inputs.map((name) => [name, now?.record[name] ?? null]));
  const times = new Map<number, { after: Row; before: Row }>();
  for (const { id: line, change } of later) {
    const after = { ...at };
    for (const [name, pair] of Object.entries(underNamesOfNow(whole.fields, change) ?? {}))
      if (inputs.includes(name) && Array.isArray(pair)) at[name] = pair[0] ?? null;
    times.set(line, { after, before: { ...at } });
  }
  const looked = changes.flatMap((one): Looked[] => {
    const { after, before } = times.get(one.id)!;
    return [
      { id, values: after },
      { id, values: one.op === 'I' ? after : before },
    ];
  });
  const hidden = await hiddenFields(session, screen, screens, [{ id }, ...looked]);
  return changes.map((one, index) => {
    const away = new Set([...hidden[0]!, ...hidden[1 + index * 2]!, ...hidden[2 + index * 2]!]);
    if (away.size === 0 || one.change === null || typeof one.change !== 'object') return one;
    return { ...one, change: changeWithout(one.change as Row, away) };
  });
}

function changeWithout(change: Row, away: ReadonlySet<string>): Row {
  const own = [...away].filter((name) => !name.includes('.'));
  const kept = without(change, own);
  for (const name of away) {
    const [rows = '', column] = name.split('.');
    const value = kept[rows];
    if (column === undefined || value === null || typeof value !== 'object') continue;
    kept[rows] = Array.isArray(value)
      ? value.map((side: unknown) => (Array.isArray(side) ? side.map((row: Row) => without(row, [column])) : side))
      : Object.fromEntries(
          Object.entries(value).map(([key, row]) => [
            key,
            row !== null && typeof row === 'object' && !Array.isArray(row) ? without(row as Row, [column]) : row,
          ]),
        );
  }
  return kept;
}
