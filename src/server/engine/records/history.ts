import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import { isRowsChange, partsChange, rowsBefore, rowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** The differences, `{field: [from, to]}`; child rows as whole lists, of which `storedChange` keeps the differences. */
export function changeOf(
  screen: Pick<Screen, 'fields'>,
  before: Row | null,
  after: Row,
): Record<string, [unknown, unknown]> {
  const change: Record<string, [unknown, unknown]> = {};
  if (before === null) {
    for (const field of screen.fields) {
      const to = plain(field, after[field.name]);
      if (to !== null) change[field.name] = [null, to];
    }
    return change;
  }
  for (const field of screen.fields) {
    const [old, now] = [before[field.name], after[field.name]];
    const known = new Map<Row, Row>();
    const from = plain(field, old, known, now);
    const to = plain(field, now, known, old);
    if (differs(field, from, to)) change[field.name] = [from, to];
  }
  return change;
}

/** Whether two values of a field are equal. */
export function isSame(field: Field, a: unknown, b: unknown): boolean {
  return a === b || comparable(field, plain(field, a)) === comparable(field, plain(field, b));
}

function differs(field: Field, from: unknown, to: unknown): boolean {
  // Row by row: a save changes few of a thousand rows, the others are the same objects.
  if (field.rows && Array.isArray(from) && Array.isArray(to))
    return (
      from.length !== to.length ||
      from.some((row, at) => row !== to[at] && comparable(field, [row]) !== comparable(field, [to[at]]))
    );
  return comparable(field, from) !== comparable(field, to);
}

/** A value in normal form, in which equal values are equal: "1.50" and "1.5", one point in time in two time zones. */
function comparable(field: Field, value: unknown): string {
  if (value === null) return 'null';
  if (field.rows && Array.isArray(value))
    return JSON.stringify(
      (value as Row[]).map((row) => [
        row.id ?? null,
        ...field.rows!.map((column) => comparable(column, row[column.name] ?? null)),
      ]),
    );
  if (fieldType(field.type).can.exact) {
    const text = String(value);
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  }
  if (field.type === 'datetime') {
    const moment = Date.parse(String(value));
    return Number.isNaN(moment) ? String(value) : new Date(moment).toISOString();
  }
  return JSON.stringify(value);
}

/** Child rows added by a change: by position in the list, until they have ids. */
export type AddedRows = ReadonlyMap<string, ReadonlyMap<number, Row>>;

/** A change as stored in the history: only the differing child rows, by id; without secrets. */
export function storedChange(
  screen: Screen,
  change: Record<string, [unknown, unknown]>,
): { change: Row; added: AddedRows } {
  const stored: Row = {};
  const added = new Map<string, ReadonlyMap<number, Row>>();
  for (const [name, pair] of Object.entries(change)) {
    const field = screen.fields.find((one) => one.name === name);
    const columns = field?.rows;
    if (!columns) {
      stored[name] = pair;
      continue;
    }
    const [from, to] = pair.map((side) => (Array.isArray(side) ? (side as Row[]) : [])) as [Row[], Row[]];
    if (field.part) {
      stored[name] = partsChange(columns, from, to, isSame);
      continue;
    }
    const rows = rowsChange(columns, from, to, isSame);
    stored[name] = rows.known;
    if (rows.added.size > 0)
      added.set(name, new Map([...rows.added].map(([at, row]) => [at, withoutSecrets(columns, row)])));
  }
  return { change: maskSecrets(screen, stored), added };
}

const withSecrets = new WeakMap<Screen, boolean>();

function hasSecrets(screen: Screen): boolean {
  let has = withSecrets.get(screen);
  if (has === undefined)
    withSecrets.set(
      screen,
      (has = screen.fields.some(
        (field) => field.secret === true || field.rows?.some((column) => column.secret) === true,
      )),
    );
  return has;
}

/** A change as stored in the history: for secrets only the fact that they changed. */
export function maskSecrets(screen: Screen, change: Row): Row {
  if (!hasSecrets(screen)) return change;
  const fields = new Map(screen.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      const field = fields.get(name);
      if (field?.secret) return [name, 'changed'];
      return [name, field?.rows ? eachRow(value, (row) => withoutSecrets(field.rows!, row)) : value];
    }),
  );
}

/** Child rows in the history, each mapped by `make`: rows by id, or the two lists of the old format. */
function eachRow(value: unknown, make: (row: Row) => Row): unknown {
  if (isRowsChange(value)) return Object.fromEntries(Object.entries(value).map(([key, row]) => [key, make(row)]));
  if (!Array.isArray(value)) return value;
  return value.map((side: unknown) => (Array.isArray(side) ? side.map((row: Row) => make(row)) : side));
}

function withoutSecrets(columns: readonly Field[], row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      columns.some((column) => column.name === name && column.secret) ? 'changed' : value,
    ]),
  );
}

/**
 * A value without the display additions of answers, so that a record that is read and sent back is unchanged. A row in
 * `known`, or at the same place of `other`, is returned as the same object: a save changes few of a thousand.
 */
function plain(field: Field, value: unknown, known = new Map<Row, Row>(), other?: unknown): unknown {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (field.rows && Array.isArray(value))
    return value.map((row: Row, at) => {
      if (Array.isArray(other) && row === other[at]) return row;
      let own = known.get(row);
      if (own) return own;
      own = row.id === undefined || row.id === null ? {} : { id: row.id };
      for (const column of field.rows!)
        if (row[column.name] !== undefined && row[column.name] !== null)
          own[column.name] = column.rows ? plain(column, row[column.name], known) : row[column.name];
      known.set(row, own);
      return own;
    });
  if (typeof value === 'object' && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return value;
}

/** The changes of a record, newest first. */
export async function recordHistory(
  session: Session,
  screen: Screen,
  id: number,
  page: number,
  size = 50,
): Promise<{ data: Row[]; more: boolean }> {
  const { schema, db } = session.tenant;
  // A change of state and its transition log entry are written in one transaction, so they have the same time.
  const step = screen.workflow
    ? `left join lateral (select t.transition, t.remark, t.reason_id, t.at, t.recorded_at from ${quoted(schema)}.transition_log t
         where t.record_type = h.record_type and t.record_id = h.record_id and t.recorded_at = h.at
           and t.from_state = h.change -> $5::text ->> 0 and t.to_state = h.change -> $5::text ->> 1 order by t.id limit 1) s on h.op = 'U'`
    : '';
  const rows = await db.query<Row>(
    preparedStatement(
      `select h.id, h.version, h.op, h.at, h.by, u.name as by__label, h.what, h.change, f.name as for__label${step && ", s.transition, s.remark as reason, s.reason_id, case when s.at < s.recorded_at - interval '1 minute' then s.at end as done_at"}
       from ${quoted(schema)}.history h left join ${peopleTable(schema)} u on u.id = h.by left join ${peopleTable(schema)} f on f.id = h.for_id ${step}
       where h.record_type = $1 and h.record_id = $2 order by h.id desc limit $3 offset $4`,
      [screen.name, id, size + 1, (page - 1) * size, ...(screen.workflow ? [screen.workflow.field] : [])],
    ),
  );
  return {
    data: rows
      .slice(0, size)
      .map((row) => ({ ...row, change: seen(screen, underNamesOfNow(screen.fields, row.change as Row | null)) })),
    more: rows.length > size,
  };
}

/** A change written when fields had other names (`"was"`), with their current names. */
export function underNamesOfNow(fields: readonly Field[], change: Row | null): Row | null {
  if (change === null) return null;
  const now = new Map(fields.flatMap(({ name, was = [] }) => was.map((old) => [old, name])));
  const named = Object.fromEntries(Object.entries(change).map(([name, value]) => [now.get(name) ?? name, value]));
  for (const { name, rows } of fields)
    if (rows?.some(({ was }) => was)) named[name] = eachRow(named[name], (row) => underNamesOfNow(rows, row)!);
  return named;
}

/**
 * The part of a change that this person may see: nothing about fields that the client has hidden, and for masked fields
 * only that they changed.
 */
function seen(screen: Screen, change: Row | null): Row | null {
  if (change === null || (productScreen(screen) === screen && !screen.fields.some((field) => field.masked)))
    return change;
  const fields = new Map(screen.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(change).flatMap(([name, value]) => {
      const field = fields.get(name);
      if (!field) return [];
      if (field.masked) return [[name, 'changed']];
      return [[name, field.rows ? eachRow(value, (row) => seenColumns(field.rows!, row)) : value]];
    }),
  );
}

function seenColumns(columns: readonly Field[], row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name]) => name === 'id' || name === 'position' || columns.some((column) => column.name === name),
    ),
  );
}

/** The name of the person who last changed a record. */
export function changedBy({ updated_by__label: name }: WireRecord): string {
  return typeof name === 'string' ? name : 'Somebody';
}

/**
 * 409 with everything the second person needs: the stored record, the version they started from, who changed it and
 * when.
 */
export async function staleVersion(
  { session, screen }: Pick<WriteContext, 'session' | 'screen'>,
  theirs: WireRecord,
  version: number,
): Promise<AppError> {
  const { schema, db } = session.tenant;
  const rows = await db.query<{ change: Record<string, unknown> | null }>(
    preparedStatement(
      `select change from ${quoted(schema)}.history where record_type = $1 and record_id = $2 and version > $3 order by id desc limit 200`,
      [screen.name, theirs.id, version],
    ),
  );
  const base: Row = { ...theirs, version };
  for (const { change } of rows)
    for (const [name, value] of Object.entries(seen(screen, underNamesOfNow(screen.fields, change)) ?? {}))
      if (Array.isArray(value)) base[name] = value[0];
      else if (isRowsChange(value)) base[name] = rowsBefore(value, (base[name] as Row[] | null) ?? []);
  const by = changedBy(theirs);
  return new AppError(409, 'stale_version', `${by} changed this in the meantime.`, {
    extra: { theirs, base, changed_by: by, changed_at: theirs.updated_at },
  });
}
