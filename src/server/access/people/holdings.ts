import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Session } from '../context.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import type { PeopleRecords } from './people_records.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { existingTables } from '../../db/existing_tables.ts';

/** The type with dated changes of people. */
export const CHANGES = 'employee_history';

/** A person's responsibilities through one field of one type: heads, owns, manages. */
export interface Holding {
  /** `reports`, or `<type>.<field>`. */
  key: string;
  type: string;
  title: string;
  /** The person's role there: "Head", "Reports to". */
  as: string;
  count: number;
  /** Handed over as a whole; others are reviewed by a person. */
  movable: boolean;
  route: string;
  field: string;
}

/** The type whose head is handled separately: escalations go to the next higher head. */
const HEADED = 'department';
/** The maximum number of records handed over per field. */
const MAX_ROWS = 5_000;

/**
 * All references to a person, by type. A field named after the person's type (`employee_id`) identifies the subject of
 * a record: it is not handed over. Documents record facts: they are handed over only if the field defines ownership
 * (`mine`).
 */
export async function holdingsOf(
  session: Session,
  people: Screen,
  screens: ReadonlyMap<string, Screen>,
  { id, company }: { id: number; company: number },
): Promise<Holding[]> {
  const { schema, db } = session.tenant;
  const existing = await existingTables(db, schema);
  const places = people.referredBy.flatMap(({ type, field: path }) => {
    const screen = screens.get(type);
    const [first, inner] = path.split('.') as [string, string | undefined];
    const outer = screen?.fields.find((field) => field.name === first);
    const field = inner === undefined ? outer : outer?.rows?.find((one) => one.name === inner);
    if (
      !screen ||
      !field ||
      first === `${people.name}_id` ||
      screen.scope === 'platform' ||
      !existing.has(inner === undefined ? type : `${type}__${first}`)
    )
      return [];
    const own = type === people.name;
    const reports = own && people.tree?.parent === path;
    if ((own && !reports) || type === CHANGES) return [];
    const column = `x.${quoted(field.name)}`;
    const match = field.type === 'refs' ? `$1::bigint = any(${column})` : `${column} = $1::bigint`;
    const table = tableName(schema, type);
    const from =
      inner === undefined
        ? `${table} t where t.active and ${match.replaceAll('x.', 't.')}`
        : `${table} t where t.active and exists (select 1 from ${childTable(schema, type, first)} x where x.parent_id = t.id and ${match})`;
    const left = `${reports ? ` and t.status <> 'left'` : ''}${screen.scope === 'entity' ? ' and t.entity_id = $2::bigint' : ' and $2::bigint is not null'}`;
    return [
      {
        key: reports ? 'reports' : `${type}.${path}`,
        type,
        title: screen.plural,
        as: inner === undefined ? field.title : `${outer!.title}: ${field.title}`,
        movable:
          inner === undefined &&
          field.type === 'ref' &&
          (screen.kind !== 'document' || screen.mine?.includes(first) === true),
        route: screen.routes.landing,
        field: first,
        sql: `(select count(*)::int from ${from}${left})`,
      },
    ];
  });
  if (places.length === 0) return [];
  const [counts] = await db.query<Record<string, number>>(
    preparedStatement(`select ${places.map(({ sql }, at) => `${sql} as "n${at}"`).join(', ')}`, [id, company]),
  );
  return places.flatMap(({ sql: _sql, ...place }, at) => {
    const count = counts?.[`n${at}`] ?? 0;
    return count > 0
      ? [{ ...place, title: place.key === 'reports' ? 'People who report to them' : place.title, count }]
      : [];
  });
}

export function sumOf(holdings: Holding[]): number {
  return holdings.reduce((sum, { count }) => sum + count, 0);
}

/** Gives what a person holds to others, with its history; `to` says to whom, null = it stays. @returns how many records */
export async function handOver(
  tx: Queryable,
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  engine: PeopleRecords,
  id: number,
  holdings: Holding[],
  what: string,
  to: (holding: Holding) => number | null,
): Promise<number> {
  let moved = 0;
  for (const holding of holdings) {
    const screen = screens.get(holding.type);
    const next = to(holding);
    if (!screen || !holding.movable || next === id || (next === null && holding.key !== 'reports')) continue;
    const left = holding.key === 'reports' ? ` and t.status <> 'left'` : '';
    const rows = await tx.query<{ id: number }>(
      preparedStatement(
        `select t.id from ${tableName(session.tenant.schema, holding.type)} t where t.active and t.${quoted(holding.field)} = $1${left} order by t.id limit ${MAX_ROWS}`,
        [id],
      ),
    );
    // A successor who reported to the person leaving cannot report to themselves.
    const ids = holding.key === 'reports' ? rows.filter((row) => row.id !== next) : rows;
    if (ids.length > 0)
      await engine.updateMany(
        tx,
        session,
        screen,
        ids.map((row) => ({ id: row.id, set: { [holding.field]: next } })),
        what,
      );
    moved += ids.length;
  }
  return moved;
}

/**
 * Departments still headed by a person leaving without a successor: they lose their head. @returns these departments
 */
export async function emptyHeads(
  tx: Queryable,
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  engine: PeopleRecords,
  id: number,
  what: string,
): Promise<{ id: number; name: string }[]> {
  const { schema } = session.tenant;
  const screen = screens.get(HEADED);
  if (!screen) return [];
  const rows = await tx.query<{ id: number; name: string }>(
    preparedStatement(`select id, name from ${tableName(schema, HEADED)} where active and head_id = $1 order by name`, [
      id,
    ]),
  );
  if (rows.length > 0)
    await engine.updateMany(
      tx,
      session,
      screen,
      rows.map((row) => ({ id: row.id, set: { head_id: null } })),
      what,
    );
  return rows;
}

/** The notice period in days for people of a grade; null = not defined. */
export async function noticeDays(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  gradeId: unknown,
): Promise<number | null> {
  const [grade] = await db.query<{ days: number | null }>(
    `select notice_days as days from ${quoted(schema)}.employee_grade where id = $1`,
    [gradeId ?? 0],
  );
  return grade?.days ?? null;
}
