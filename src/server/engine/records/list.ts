import { namesInAddress } from '../../../descriptor/address_names.ts';
import { listField } from '../../../descriptor/filter.ts';
import { columnMisfit } from '../../../descriptor/fieldtypes/column_range.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Pagination, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { searchExpression } from '../../db/search_index.ts';
import {
  columnFields,
  columnSql,
  labelExpression,
  labels,
  readColumns,
  secretColumns,
  stampLabels,
} from '../../db/columns.ts';
import type { CountMemory } from './count_memory.ts';
import { countSql } from './counts.ts';
import { filterCondition } from './filter_sql.ts';
import { unknownPlace, writeCursor } from './list_query.ts';
import type { ListQuery } from './list_query.ts';
import { rowsOf } from './rows_of.ts';
import { mineRows, rowScope } from '../../access/rights/scope.ts';
import { SqlParams, escapeLike, preparedStatement, memoPerScreen, memoForAllClients } from '../../db/sql_text.ts';

export interface ListAnswer {
  data: WireRecord[];
  pagination: Pagination;
  cursor: string | null;
}

interface Total {
  count: number;
  capped: boolean;
}

/** Rows are counted up to this number; beyond it, the list shows "1,000+". */
export const COUNT_CAP = 1_000;
/** The prefix of the names under which rows carry their sort values. */
const PLACE = '__s';
/** Beyond this offset the ids of the page are found first, and its rows are read afterwards. */
const DEEP_OFFSET = 1_000;

/** The conditions on the rows of a list. */
export function conditions(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  values: SqlParams,
): string[] {
  const where = rowScope(session, screen, screens, 't', values);
  if (query.active !== null) where.push(query.active ? 't.active' : 'not t.active');
  if (query.mine) where.push(mineRows(session, screen, 't', values, ...(query.mine === true ? [] : [query.mine])));
  if (query.box !== null) {
    const at = columnSql(
      screen.fields.find(({ name }) => name === screen.looks!.map!.at)!,
      't',
    );
    const [south, west, north, east] = query.box.map((side) => `${values.bind(side)}::double precision`);
    where.push(
      `(${at} ->> 'lat')::double precision between ${south} and ${north} and (${at} ->> 'lng')::double precision between ${west} and ${east}`,
    );
  }
  if (query.ids !== null) where.push(`t.id = any(${values.bind(query.ids)})`);
  const searched =
    query.q === '' ? [] : [searchExpression(screen, 't'), ownTexts(screen)].filter((expression) => expression !== null);
  if (searched.length > 0) {
    const text = escapeLike(query.q.toLowerCase());
    // Two letters match too much for a search in the middle of words.
    const found = searched.map((search) =>
      query.q.length < 3
        ? `(${search} like ${values.bind(`${text}%`)} or ${search} like ${values.bind(`% ${text}%`)})`
        : `${search} like ${values.bind(`%${text}%`)}`,
    );
    where.push(found.length > 1 ? `(${found.join(' or ')})` : found[0]!);
  }
  if (query.filter !== null)
    where.push(filterCondition(query.filter, screen, screens, session.tenant.schema, 't', values));
  return where;
}

/** The texts of a client's own fields, separately from the product's, which have an index. */
function ownTexts(screen: Screen): string | null {
  const texts = screen.fields.filter(
    (field) => field.custom && !field.masked && !field.options && fieldType(field.type).sql(field) === 'text',
  );
  return texts.length === 0
    ? null
    : `lower(${texts.map((field) => `coalesce(${columnSql(field, 't')}, '')`).join(` || ' ' || `)})`;
}

interface SortColumn {
  /** The column that `sql` refers to; null = it is an expression. */
  column: string | null;
  sql: string;
  descending: boolean;
  type: string;
}

/** The sort order of a list: texts ignoring case, references by label, the id last. */
function sortColumns(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  values: SqlParams,
): SortColumn[] {
  const { schema } = session.tenant;
  const columns = query.sort.map(({ field: name, descending }): SortColumn => {
    const field = listField(screen, name)!;
    if (field.count)
      return { column: null, sql: countSql(field, 't', session, screens, values), descending, type: 'integer' };
    const column = columnSql(field, 't');
    const target = field.ref && screens.get(field.ref.type);
    if (target)
      return {
        column: null,
        sql: `(select lower(${labelExpression(target, 'o', { screens, schema })}) from ${tableName(schema, target.name)} o where o.id = ${column})`,
        descending,
        type: 'text',
      };
    const type = name === 'id' ? 'bigint' : fieldType(field.type).sql(field);
    return type === 'text'
      ? { column: null, sql: `lower(${column})`, descending, type }
      : { column: field.custom ? null : name, sql: column, descending, type };
  });
  return [...columns, { column: 'id', sql: 't.id', descending: columns.at(-1)?.descending ?? false, type: 'bigint' }];
}

const orderBy = (columns: SortColumn[]) =>
  columns.map(({ sql, descending }) => `${sql}${descending ? ' desc' : ''}`).join(', ');

/** Rows after a position in the order: PostgreSQL puts nulls last ascending and first descending. */
function keysetCondition(columns: SortColumn[], place: unknown[], values: SqlParams): string {
  const ways: string[] = [];
  const before: string[] = [];
  columns.forEach(({ sql, descending, type }, index) => {
    const value = place[index] ?? null;
    const bound = value === null ? 'null' : `${values.bind(value)}::${type}`;
    if (value === null) {
      if (descending) ways.push([...before, `${sql} is not null`].join(' and '));
      before.push(`${sql} is null`);
      return;
    }
    ways.push(
      [
        ...before,
        descending
          ? `${sql} < ${bound}`
          : `(${sql} > ${bound}${type === 'bigint' && index === columns.length - 1 ? '' : ` or ${sql} is null`})`,
      ].join(' and '),
    );
    before.push(`${sql} = ${bound}`);
  });
  return `(${ways.map((way) => `(${way})`).join(' or ')})`;
}

/**
 * One page of a list: one statement for rows with labels, another for the capped count if the rows do not reveal it.
 */
export async function listRecords(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  memory: CountMemory,
): Promise<ListAnswer> {
  const { rows, places, count } = await countedPage(session, screen, screens, query, memory);
  const more = rows.length > query.size;
  const data = more ? rows.slice(0, query.size) : rows;
  const last = data.at(-1);
  const cursor = more && last ? writeCursor(places.map((name) => last[name] ?? null)) : null;
  const beside = places.filter((name) => name.startsWith(PLACE));
  return {
    data: (beside.length > 0 ? data.map((row) => without(row, beside)) : data) as WireRecord[],
    pagination: pagination(query, more, count),
    cursor,
  };
}

interface PageOfRows {
  /** One more row than requested, if there is one. */
  rows: Record<string, unknown>[];
  /** The names under which each row carries its sort values. */
  places: string[];
}

/** The rows of a page, and their total number. A list that ends on its first page is not counted. */
async function countedPage(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  memory: CountMemory,
): Promise<PageOfRows & { count: Total | null }> {
  const rows = pageOf(session, screen, screens, query);
  if (query.uncounted) return { ...(await rows), count: null };
  if (query.page > 1 || query.after !== null) {
    const [page, count] = await Promise.all([rows, countRecords(session, screen, screens, query, memory)]);
    return { ...page, count };
  }
  const page = await rows;
  const ends = page.rows.length <= query.size;
  return {
    ...page,
    count: ends
      ? { count: page.rows.length, capped: false }
      : await countRecords(session, screen, screens, query, memory),
  };
}

/** A new object: objects with deleted properties are slow to serialise. */
function without(row: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name in row) if (!names.includes(name)) kept[name] = row[name];
  return kept;
}

async function pageOf(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
): Promise<PageOfRows> {
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const where = conditions(session, screen, screens, query, values);
  const sort = sortColumns(session, screen, screens, query, values);
  if (query.after !== null) {
    const place = query.after;
    if (place.length !== sort.length || sort.some(({ type }, at) => columnMisfit(type, place[at]) !== null))
      throw unknownPlace();
    where.push(keysetCondition(sort, query.after, values));
  }
  const offset = query.after === null ? (query.page - 1) * query.size : 0;
  const from = rowsOf(session, screen, screens, 't', values, query.choice);
  // A literal: for a bound number PostgreSQL assumes a tenth of the table, and plans every call again.
  const limit = `limit ${query.size + 1}${offset > 0 ? ` offset ${values.bind(offset)}` : ''}`;
  const filter = where.length > 0 ? ` where ${where.join(' and ')}` : '';
  const asked = query.columns === null ? '' : query.columns.join(',');
  const { read, secret } = memoPerScreen(screens, screen, `list ${asked}`, () => readOfList(screen, query.columns));
  const shown = memoForAllClients(screens, screen, schema, `shown ${asked}`, (any) =>
    shownInList(screen, screens, any, query.columns),
  );
  // The position of a row is read from its own columns if they are the sort columns.
  const places = sort.map(({ column, sql }, index) =>
    sql === 't.id' ? 'id' : column !== null && read.includes(sql) ? column : `${PLACE}${index}`,
  );
  const beside = sort.flatMap(({ sql }, index) =>
    places[index]!.startsWith(PLACE) ? [`${sql} as ${quoted(places[index]!)}`] : [],
  );
  const own = [...read, ...secret, ...beside].join(', ');
  // By several fields a person has few records. PostgreSQL takes them for many, and would read all records in the order of
  // the list until the page is full.
  const few = query.mine === true && (screen.mine?.length ?? 0) > 1;
  const ordered = sort
    .map(({ descending }, index) => `p.${quoted(places[index]!)}${descending ? ' desc' : ''}`)
    .join(', ');
  const page = few
    ? `select * from (select ${own} from ${from}${filter} offset 0) p order by ${ordered} ${limit}`
    : offset > DEEP_OFFSET
      ? `select ${own} from ${from} where t.id in (select t.id from ${from}${filter} order by ${orderBy(sort)} ${limit})`
      : `select ${own} from ${from}${filter} order by ${orderBy(sort)} ${limit}`;
  const counts = screen.counts ? countColumns(session, screen, screens, query, values) : '';
  const text = `select ${shown}${counts} from (${page}) p order by ${ordered}`;
  const rows = await db.query<Record<string, unknown>>(preparedStatement(text, values.list));
  return { rows, places };
}

/** The columns that a list reads from its table. */
function readOfList(screen: Screen, asked: string[] | null): { read: string[]; secret: string[] } {
  const wanted = shownFields(screen, asked);
  return { read: readColumns(screen, 't', wanted), secret: secretColumns(screen, 't', wanted) };
}

/** The columns that a list shows, with labels. */
function shownInList(screen: Screen, screens: Map<string, Screen>, schema: string, asked: string[] | null): string {
  const wanted = shownFields(screen, asked);
  const fields = columnFields(screen.fields).filter((field) => !field.secret && wanted.has(field.name));
  // If columns are named, the names of the authors are included only if they are among them.
  const stamps = stampLabels(screens, schema, 'p', asked === null ? undefined : wanted);
  return ['p.*', ...labels(screens, schema, fields, 'p'), ...stamps].join(', ');
}

/** The counts that a list shows, after its other columns. */
function countColumns(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  values: SqlParams,
): string {
  const wanted = shownFields(screen, query.columns);
  return screen
    .counts!.filter(({ name }) => wanted.has(name))
    .map((field) => `, ${countSql(field, 'p', session, screens, values)} as ${quoted(field.name)}`)
    .join('');
}

/**
 * The columns of a list's rows: the requested ones, otherwise the grid's visible ones; always including the label
 * fields, and those in the address of an action that stands in the row.
 */
function shownFields(screen: Screen, columns: string[] | null): ReadonlySet<string> {
  const asked = columns ?? [
    ...screen.grid.filter((column) => !column.hidden).map((column) => column.field),
    ...screen.card,
  ];
  const inRows = screen.actions.flatMap(({ to, inRow }) => (inRow ? namesInAddress(to ?? '') : []));
  const beside = [...(screen.tree ? [screen.tree.parent] : []), ...Object.values(screen.subject ?? {}), ...inRows];
  const shown = new Set([...asked, ...screen.label, ...beside]);
  // An amount needs its currency, a record of any type its type.
  for (const { name, currencyFrom, refBy } of screen.fields) {
    const beside = currencyFrom ?? refBy?.field;
    if (beside !== undefined && shown.has(name)) shown.add(beside);
  }
  return shown;
}

/** The number of rows in a list, up to the cap. */
export async function countRecords(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  memory: CountMemory,
): Promise<Total> {
  const { schema } = session.tenant;
  const values = new SqlParams();
  const where = conditions(session, screen, screens, query, values);
  const filter = where.length > 0 ? ` where ${where.join(' and ')}` : '';
  const text = `select count(*)::int as count from (select 1 from ${rowsOf(session, screen, screens, 't', values, query.choice)}${filter} limit ${COUNT_CAP + 1}) x`;
  const list = `${text} ${JSON.stringify(values.list)}`;
  const capped = { count: COUNT_CAP, capped: true };
  if (memory.isBeyond(schema, screen.name, list)) return capped;
  const [row] = await session.tenant.db.query<{ count: number }>(preparedStatement(text, values.list));
  const count = row?.count ?? 0;
  if (count <= COUNT_CAP) return { count, capped: false };
  memory.remember(schema, screen.name, list);
  return capped;
}

function pagination({ page, size }: ListQuery, more: boolean, counted: Total | null): Pagination {
  const exact = counted !== null && !counted.capped;
  const last = exact ? Math.max(1, Math.ceil(counted.count / size)) : null;
  return {
    count: counted?.count ?? null,
    first: 1,
    has_next: more,
    has_prev: page > 1,
    last,
    next_page: more ? page + 1 : null,
    page,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: last,
    more,
    ...(counted?.capped && { capped: true }),
  };
}
