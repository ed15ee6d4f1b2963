import { ownRows } from '../../../descriptor/own_rows.ts';
import { filterField, operatorsFor } from '../../../descriptor/filter.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, literal, quoted, tableName } from '../../db/names.ts';
import { preparedStatement, memoPerScreen } from '../../db/sql_text.ts';

export interface Use {
  type: string;
  title: string;
  count: number;
  /** Their list, filtered to them if it supports that. */
  route: string;
}

/** Where a record is referred to, by type, all in one statement; counts stop at 1,000. */
export async function whereUsed(
  on: Queryable,
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
  existing: ReadonlySet<string>,
): Promise<Use[]> {
  const { schema } = session.tenant;
  const parts = screen.referredBy.flatMap(({ type, field: path }) => {
    const other = screens.get(type);
    // Its own parts are deleted with it.
    if (other?.part?.of === screen.name && other.part.by === path) return [];
    const [first, inner] = path.split('.');
    const field = other?.fields.find((one) => one.name === first);
    const column = inner === undefined ? field : field?.rows?.find((one) => one.name === inner);
    const bare = inner === undefined ? type : `${type}__${first}`;
    if (!other || !column || !existing.has(bare)) return [];
    const table = inner === undefined ? tableName(schema, type) : childTable(schema, type, first!);
    const match =
      column.type === 'refs'
        ? `t.${quoted(column.name)} @> array[$1::bigint]`
        : `t.${quoted(column.name)} = $1::bigint`;
    const itself = inner === undefined && type === screen.name ? ' and t.id <> $1::bigint' : '';
    return [
      `select '${type}' as type, '${path}' as field, (select count(*)::int from (select 1 from ${table} t where ${match}${itself} limit 1000) x) as count`,
    ];
  });
  parts.push(...namedBy(schema, screen, screens, existing));
  if (parts.length === 0) return [];
  const rows = await on.query<{ type: string; field: string; count: number }>(
    preparedStatement(parts.join(' union all '), [id]),
  );
  const found = new Map<string, { count: number; fields: string[] }>();
  for (const { type, field, count } of rows) {
    if (count === 0) continue;
    const sum = found.get(type) ?? { count: 0, fields: [] };
    found.set(type, { count: sum.count + count, fields: [...sum.fields, field] });
  }
  return [...found].map(([type, { count, fields }]) => {
    const other = screens.get(type)!;
    return { type, title: count === 1 ? other.title : other.plural, count, route: routeOfUses(other, fields, id) };
  });
}

/** The list of a type filtered to the records that refer to a record; the whole list if it cannot be filtered. */
function routeOfUses(other: Screen, fields: string[], id: number): string {
  const { landing } = other.routes;
  const asked = fields.every((name) => {
    const field = filterField(other, name);
    return field !== undefined && operatorsFor(field).includes('in');
  });
  if (!landing || !asked) return landing;
  const conditions = fields.map((name) => [name, 'in', [id]]);
  const filter = conditions.length === 1 ? conditions[0] : ['or', ...conditions];
  return `${landing}?${new URLSearchParams({ filter: JSON.stringify(filter), active: 'all' }).toString()}`;
}

/** Counts of the fields that refer to a record together with its type; read-only ones do not prevent deletion. */
function namedBy(
  schema: string,
  screen: Screen,
  screens: Map<string, Screen>,
  existing: ReadonlySet<string>,
): string[] {
  const places = memoPerScreen(screens, screen, 'named by', () =>
    [...screens.values()].flatMap(({ name: type, fields }) => [
      ...namingFields(fields, screen.name).map((place) => ({ ...place, type, rows: '' })),
      ...fields.flatMap((field) =>
        namingFields(ownRows(field) ?? [], screen.name).map((place) => ({ ...place, type, rows: field.name })),
      ),
    ]),
  );
  return places.flatMap(({ type, rows, name, kind }) => {
    if (!existing.has(rows === '' ? type : `${type}__${rows}`)) return [];
    const table = rows === '' ? tableName(schema, type) : childTable(schema, type, rows);
    return [
      `select '${type}' as type, '' as field, (select count(*)::int from (select 1 from ${table} t where t.${quoted(kind)} = ${literal(screen.name)} and t.${quoted(name)} = $1::bigint limit 1000) x) as count`,
    ];
  });
}

const namingFields = (fields: readonly Field[], type: string): { name: string; kind: string }[] =>
  fields.flatMap(({ name, refBy, readOnly }) =>
    refBy?.types.includes(type) && !readOnly ? [{ name, kind: refBy.field }] : [],
  );
