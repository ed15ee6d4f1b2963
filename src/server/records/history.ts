import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import { productScreen } from '../../descriptor/overlay.ts';
import type { Field, Screen, WireRecord } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { peopleTable, quoted } from '../db/names.ts';
import { AppError } from '../errors.ts';
import { named } from './sql_text.ts';
import type { WriteContext } from './write.ts';

type Row = Record<string, unknown>;

/** What differs, `{field: [from, to]}`; child rows as whole lists. */
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
    const from = plain(field, before[field.name]);
    const to = plain(field, after[field.name]);
    if (comparable(field, from) !== comparable(field, to)) change[field.name] = [from, to];
  }
  return change;
}

/** A value in the one form in which equal values are equal: "1.50" and "1.5", one moment in two time zones. */
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

/** What history keeps of a change: of secrets only that they changed. */
export function maskSecrets(screen: Screen, change: Row): Row {
  if (!hasSecrets(screen)) return change;
  const secret = new Set(screen.fields.filter((field) => field.secret).map((field) => field.name));
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      if (secret.has(name)) return [name, 'changed'];
      const hidden = screen.fields.find((field) => field.name === name)?.rows?.filter((column) => column.secret) ?? [];
      return [
        name,
        hidden.length > 0 && Array.isArray(value) ? value.map((rows: unknown) => withoutSecrets(rows, hidden)) : value,
      ];
    }),
  );
}

function withoutSecrets(rows: unknown, hidden: Field[]): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        hidden.some((column) => column.name === name) ? 'changed' : value,
      ]),
    ),
  );
}

/** A value without what answers put beside it, so that a record read and sent back is unchanged. */
function plain(field: Field, value: unknown): unknown {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (field.rows && Array.isArray(value))
    return value.map((row: Row) => {
      const own: Row = row.id === undefined || row.id === null ? {} : { id: row.id };
      for (const column of field.rows!)
        if (row[column.name] !== undefined && row[column.name] !== null) own[column.name] = row[column.name];
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
  const rows = await db.query<Row>(
    named(
      `select h.id, h.version, h.op, h.at, h.by, u.name as by__label, h.what, h.change, f.name as for__label
       from ${quoted(schema)}.history h left join ${peopleTable(schema)} u on u.id = h.by left join ${peopleTable(schema)} f on f.id = h.for_id
       where h.record_type = $1 and h.record_id = $2 order by h.id desc limit $3 offset $4`,
      [screen.name, id, size + 1, (page - 1) * size],
    ),
  );
  return {
    data: rows
      .slice(0, size)
      .map((row) => ({ ...row, change: seen(screen, underNamesOfNow(screen.fields, row.change as Row | null)) })),
    more: rows.length > size,
  };
}

/** A change written when fields had other names (`"was"`), under those that they have now. */
export function underNamesOfNow(fields: readonly Field[], change: Row | null): Row | null {
  if (change === null) return null;
  const now = new Map(fields.flatMap(({ name, was = [] }) => was.map((old) => [old, name])));
  const named = Object.fromEntries(Object.entries(change).map(([name, value]) => [now.get(name) ?? name, value]));
  for (const { name, rows } of fields) {
    if (!rows?.some(({ was }) => was) || !Array.isArray(named[name])) continue;
    named[name] = (named[name] as unknown[]).map((side) =>
      Array.isArray(side) ? side.map((row) => underNamesOfNow(rows, row as Row | null)) : side,
    );
  }
  return named;
}

/** Of a change what this person may see: nothing of fields that a client has taken away, of masked ones that they changed. */
function seen(screen: Screen, change: Row | null): Row | null {
  if (change === null || (productScreen(screen) === screen && !screen.fields.some((field) => field.masked)))
    return change;
  const fields = new Map(screen.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(change).flatMap(([name, pair]) =>
      !fields.has(name) ? [] : [[name, fields.get(name)!.masked ? 'changed' : pair]],
    ),
  );
}

/** 409 with what the second person needs: the stored record, the one they began with, who and when. */
export async function staleVersion(
  { session, screen }: WriteContext,
  theirs: WireRecord,
  version: number,
): Promise<AppError> {
  const { schema, db } = session.tenant;
  const rows = await db.query<{ change: Record<string, unknown> | null }>(
    named(
      `select change from ${quoted(schema)}.history where record_type = $1 and record_id = $2 and version > $3 order by id desc limit 200`,
      [screen.name, theirs.id, version],
    ),
  );
  const base: Row = { ...theirs, version };
  for (const { change } of rows)
    for (const [name, pair] of Object.entries(seen(screen, underNamesOfNow(screen.fields, change)) ?? {}))
      if (Array.isArray(pair)) base[name] = pair[0];
  const by = typeof theirs.updated_by__label === 'string' ? theirs.updated_by__label : 'Somebody';
  return new AppError(409, 'stale_version', `${by} changed this meanwhile.`, {
    extra: { theirs, base, changed_by: by, changed_at: theirs.updated_at },
  });
}
