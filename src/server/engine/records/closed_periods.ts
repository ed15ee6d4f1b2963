import type { Periods } from '../../../descriptor/period_columns.ts';
import { columnsOfMonths, monthsOfPeriods, withPeriodTitles } from '../../../descriptor/period_columns.ts';
import { place } from '../../../descriptor/place.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { isOrHas } from '../../db/columns.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { unitOf } from './unit_of_work.ts';
import { isSame } from './history.ts';

type Row = Record<string, unknown>;

/** The rows fields of a type that can have closed periods. */
export const fieldsWithClosedPeriods = (screen: Screen): Field[] =>
  screen.fields.filter(({ periods }) => periods?.closed !== undefined);

/**
 * The columns of closed periods of a record, by name. Within a write the records that close them are locked, so that
 * none is closed until the write is stored.
 */
async function closedColumns(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  { periods }: Field,
  record: Row,
): Promise<Set<string>> {
  const months = monthsOfPeriods(periods!, record[periods!.start], place().fyStartMonth);
  const { until } = periods!.closed!;
  const closed = await closedMonths(session, screens, periods!, record, months.flat());
  return columnsOfMonths(periods!, months, closed, until === undefined ? null : record[until]);
}

async function closedMonths(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  { closed }: Periods,
  record: Row,
  months: readonly string[],
): Promise<ReadonlySet<string>> {
  const by = closed?.by === undefined ? undefined : screens.get(closed.by);
  const [from, to] = [months[0], months.at(-1)];
  if (!by || from === undefined || to === undefined) return new Set();
  const values = new SqlParams();
  const period = `t.${quoted(closed!.period!)}`;
  const text = `left(${period}::text, 7)`;
  const where = [`t.active`, `${text} between ${values.bind(from)}::text and ${values.bind(to)}::text`];
  if (by.scope === 'entity')
    where.push(`t.entity_id = ${values.bind((record.entity_id as number | undefined) ?? session.entityId)}::bigint`);
  for (const [theirs, ours] of Object.entries(closed!.same ?? {})) {
    const value = record[ours];
    where.push(
      value === null || value === undefined
        ? `t.${quoted(theirs)} is null`
        : isOrHas(by, theirs, values.bind(String(value as string | number))),
    );
  }
  const states = Object.entries(closed!.when ?? {}).map(([name, wanted]) =>
    [wanted].flat().length === 0 ? 'false' : `t.${quoted(name)}::text = any(${values.bind([wanted].flat())}::text[])`,
  );
  const { db, schema } = session.tenant;
  const rows = await db.query<{ month: string; closed: boolean }>(
    preparedStatement(
      `select ${text} as month, coalesce(${states.join(' and ') || 'true'}, false) as closed from ${tableName(schema, by.name)} t
       where ${where.join(' and ')}${unitOf(session) ? ' for share of t' : ''}`,
      values.list,
    ),
  );
  return new Set(rows.flatMap((row) => (row.closed ? [row.month] : [])));
}

const rowsOf = (record: Row | null, { name }: Field): Row[] => {
  const rows = record?.[name];
  return Array.isArray(rows) ? (rows as (Row | null)[]).filter((row) => row !== null && typeof row === 'object') : [];
};

/** The changes of a write in closed periods. `stored`: the current record, null = a new one. */
export async function closedErrors(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
  stored: Row | null,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const field of fieldsWithClosedPeriods(screen)) {
    const now = rowsOf(record, field);
    const before = new Map(rowsOf(stored, field).map((row) => [row.id, row]));
    const { periods, rows: columns = [] } = field;
    const isMoved = stored !== null && !sameText(stored[periods!.start], record[periods!.start]);
    if (!isMoved && now.length === before.size && now.every((row) => before.get(row.id) === row)) continue;
    const closed = await closedColumns(session, screens, field, record);
    if (isMoved) for (const name of await closedColumns(session, screens, field, stored)) closed.add(name);
    if (closed.size === 0) continue;
    const titled = withPeriodTitles(columns, periods!.unit, record[periods!.start], place().fyStartMonth);
    const shut = titled.filter(({ name }) => closed.has(name));
    const holds = (row: Row) => shut.find(({ name }) => (row[name] ?? null) !== null);
    if (isMoved && [...now, ...before.values()].some(holds)) {
      const start = screen.fields.find(({ name }) => name === periods!.start)!;
      errors.push({
        field: start.name,
        message: `${field.title} has figures in closed periods: ${start.title} stays as it is.`,
      });
      continue;
    }
    now.forEach((row, at) => {
      const old = before.get(row.id);
      if (old === row) return;
      for (const column of shut)
        if (!isSame(column, old?.[column.name] ?? null, row[column.name] ?? null))
          errors.push({ field: `${field.name}.${at}.${column.name}`, message: `${column.title} is closed.` });
    });
    const left = new Set(now.map(({ id }) => id));
    for (const [id, row] of before) {
      const column = left.has(id) ? undefined : holds(row);
      if (column)
        errors.push({
          field: `${field.name}.removed`,
          message: `${column.title} is closed: a row with a figure there cannot be removed.`,
        });
    }
  }
  return errors;
}

const sameText = (a: unknown, b: unknown): boolean => String(a ?? '') === String(b ?? '');

/** The columns of closed periods of a record, by rows field; only fields that have some. */
export async function closedOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
): Promise<Record<string, string[]> | null> {
  const fields = fieldsWithClosedPeriods(screen);
  if (fields.length === 0) return null;
  const found = await Promise.all(
    fields.map(async (field) => [field.name, [...(await closedColumns(session, screens, field, record))]]),
  );
  return Object.fromEntries(found) as Record<string, string[]>;
}
