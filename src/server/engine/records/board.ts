import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { columnSql } from '../../db/columns.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { conditions } from './list.ts';
import type { ListQuery } from './list_query.ts';
import { optionsOf } from './options.ts';
import { rowsOf } from './rows_of.ts';

/** A column of a board: how many records of a list have the value, and what they come to. */
export interface BoardColumn {
  value: string | null;
  count: number;
  sum: string | null;
  /** What a record that is a column is called. */
  label?: string;
}

/** Records that are columns of their own while none of the list refers to them. */
const MAX_EMPTY_COLUMNS = 60;

/**
 * The columns of a type's board, by the same rows as its list. SqlParams that no record has are left out, unless the columns
 * are records: then those that may be chosen for one of the list are all there, in the order of their own list.
 */
export async function boardColumns(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
): Promise<BoardColumn[]> {
  const field = screen.fields.find(({ name }) => name === screen.looks!.board!.by)!;
  const counted = await countByValue(session, screen, screens, query);
  const target = field.ref && screens.get(field.ref.type);
  return target ? recordColumns(session, screen, field, target, screens, query, counted) : counted;
}

async function countByValue(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
): Promise<BoardColumn[]> {
  const { by: field, sum } = screen.looks!.board!;
  const values = new SqlParams();
  const where = conditions(session, screen, screens, query, values);
  const column = (name: string) =>
    columnSql(
      screen.fields.find((one) => one.name === name)!,
      't',
    );
  const text = `select ${column(field)} as value, count(*)::int as count, ${sum === undefined ? 'null::text' : `coalesce(sum(${column(sum)}), 0)::text`} as sum
    from ${rowsOf(session, screen, screens, 't', values, query.choice)}${where.length > 0 ? ` where ${where.join(' and ')}` : ''} group by 1`;
  return session.tenant.db.query<BoardColumn>(preparedStatement(text, values.list));
}

/** The values of fields in the records of a list; fields that are empty in all of them are left out. */
async function valuesListed(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  names: readonly string[],
): Promise<Record<string, string[]>> {
  const fields = screen.fields.filter(({ name }) => names.includes(name));
  if (fields.length === 0) return {};
  const values = new SqlParams();
  const where = conditions(session, screen, screens, query, values);
  const lists = fields.map(
    (field, at) =>
      `array_agg(distinct ${columnSql(field, 't')}::text) filter (where ${columnSql(field, 't')} is not null) as v${at}`,
  );
  const text = `select ${lists.join(', ')} from ${rowsOf(session, screen, screens, 't', values, query.choice)}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`;
  const [row] = await session.tenant.db.query<Record<string, string[] | null>>(preparedStatement(text, values.list));
  return Object.fromEntries(fields.flatMap(({ name }, at) => (row?.[`v${at}`] ? [[name, row[`v${at}`]!]] : [])));
}

/** Each record that may be chosen, and those that are referred to all the same, with what was counted. */
async function recordColumns(
  session: Session,
  screen: Screen,
  field: Field,
  target: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  counted: BoardColumn[],
): Promise<BoardColumn[]> {
  const asking = { screen, field, siblings: [] };
  // Who cannot choose one has a column for those in use alone, unless the list of them is theirs to see.
  const mayChoose = !field.readOnly || session.rights.refuse(target, 'landing') === null;
  const offered = mayChoose
    ? await optionsOf(session, target, screens, {
        asking,
        inOrder: true,
        limit: MAX_EMPTY_COLUMNS,
        whereAny: await valuesListed(session, screen, screens, query, Object.values(field.ref?.filter ?? {})),
      })
    : [];
  const known = new Set(offered.map(({ id }) => id));
  const ids = counted.flatMap(({ value }) => (value === null || known.has(Number(value)) ? [] : [Number(value)]));
  const others = ids.length > 0 ? await optionsOf(session, target, screens, { asking, ids, limit: ids.length }) : [];
  const labels = new Map(others.map(({ id, label }) => [id, label]));
  const columns = [...offered, ...ids.map((id) => ({ id, label: labels.get(id) ?? `${target.title} ${id}` }))].map(
    ({ id, label }): BoardColumn => {
      const found = counted.find(({ value }) => Number(value) === id && value !== null);
      return { value: String(id), label, count: found?.count ?? 0, sum: found?.sum ?? null };
    },
  );
  return [...columns, ...counted.filter(({ value }) => value === null)];
}
