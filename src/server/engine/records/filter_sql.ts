import { filterField } from '../../../descriptor/filter.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, FilterExpression, FilterOperator, Screen } from '../../../descriptor/types.ts';
import { place as whereWorkIsDone, today } from '../../../descriptor/place.ts';
import { hoursAhead, relativeDays } from '../../../domain/relative_days.ts';
import type { RelativeWord } from '../../../domain/relative_days.ts';
import { childTable, tableName } from '../../db/names.ts';
import { columnSql, namingText } from '../../db/columns.ts';
import { escapeLike } from '../../db/sql_text.ts';
import type { SqlParams } from '../../db/sql_text.ts';

const COMPARE: Partial<Record<FilterOperator, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  before: '<',
  after: '>',
};

/** Compiles a checked filter (`parseFilter`) to a condition; every value is a bound parameter. */
export function filterCondition(
  filter: FilterExpression,
  screen: Screen,
  screens: Map<string, Screen>,
  schema: string,
  alias: string,
  values: SqlParams,
): string {
  const [head, ...rest] = filter as [string, ...unknown[]];
  if ((head === 'and' || head === 'or') && (rest.length === 0 || Array.isArray(rest[0]))) {
    if (rest.length === 0) return 'true';
    return `(${rest.map((inner) => filterCondition(inner as FilterExpression, screen, screens, schema, alias, values)).join(` ${head} `)})`;
  }
  const field = filterField(screen, head)!;
  const [operator, value] = rest as [FilterOperator, unknown];
  const [rows, column] = head.split('.');
  if (column === undefined) return condition(field, operator, value, { screens, schema, alias, values });
  const row = `${alias}r`;
  const names = condition({ ...field, name: column }, operator, value, { screens, schema, alias: row, values });
  return `${alias}.id in (select ${row}.parent_id from ${childTable(schema, screen.name, rows!)} ${row} where ${names})`;
}

interface Place {
  screens: Map<string, Screen>;
  schema: string;
  alias: string;
  values: SqlParams;
}

function condition(field: Field, operator: FilterOperator, value: unknown, place: Place): string {
  const { alias, values } = place;
  const column = columnSql(field, alias);
  const type = fieldType(field.type);
  const sql = field.name === 'id' ? 'bigint' : type.sql(field);
  const list = sql.endsWith('[]');
  const text = sql === 'text';
  if (operator === 'empty')
    return list
      ? `coalesce(cardinality(${column}), 0) = 0`
      : text
        ? `coalesce(${column}, '') = ''`
        : `${column} is null`;
  if (operator === 'notempty')
    return list ? `cardinality(${column}) > 0` : text ? `${column} <> ''` : `${column} is not null`;
  if (operator === 'contains' || operator === 'starts') {
    const pattern = `${operator === 'contains' ? '%' : ''}${escapeLike(String(value).toLowerCase())}%`;
    return likeCondition(field, column, pattern, place);
  }
  // A date and time is compared by its day if a day is given; the day begins at midnight in the reader's time zone.
  const moment = sql === 'timestamptz';
  const own = moment ? `${column}` : column;
  // The database converts both sides to lower case.
  const bound = (item: unknown) =>
    text ? `lower(${values.bind(String(item))}::text)` : `${values.bind(item)}::${list ? sql.slice(0, -2) : sql}`;
  const side = text ? `lower(${own})` : own;
  if (operator === 'in' || operator === 'notin') {
    const items = (value as unknown[]).map((item) => (text ? String(item).toLowerCase() : item));
    const array = `${values.bind(items)}::${list ? sql : `${sql}[]`}`;
    const match = list ? `${column} && ${array}` : `${side} = any(${array})`;
    // An empty value equals none of them.
    return operator === 'in' ? match : `(${match}) is not true`;
  }
  const hours = operator === 'within' ? hoursAhead(String(value)) : null;
  if (hours !== null)
    return `(${side} >= now() and ${side} < now() + make_interval(hours => ${values.bind(hours)}::int))`;
  if (operator === 'within') {
    const [from, to] = relativeDays(value as RelativeWord, today(), whereWorkIsDone().fyStartMonth);
    if (!moment) return `${side} between ${values.bind(from)}::date and ${values.bind(to)}::date`;
    return `(${side} >= ${dayStart(from, values)} and ${side} < ${dayEnd(to, values)})`;
  }
  if (operator === 'between') {
    const [from, to] = value as [unknown, unknown];
    const parts: string[] = [];
    if (from !== null)
      parts.push(moment && isDay(from) ? `${side} >= ${dayStart(from, values)}` : `${side} >= ${bound(from)}`);
    if (to !== null) parts.push(moment && isDay(to) ? `${side} < ${dayEnd(to, values)}` : `${side} <= ${bound(to)}`);
    return `(${parts.join(' and ')})`;
  }
  if (moment && isDay(value)) {
    const start = () => dayStart(value, values);
    const end = () => dayEnd(value, values);
    if (operator === 'eq') return `(${side} >= ${start()} and ${side} < ${end()})`;
    if (operator === 'ne') return `(${side} is null or ${side} < ${start()} or ${side} >= ${end()})`;
    if (operator === 'after' || operator === 'gt') return `${side} >= ${end()}`;
    if (operator === 'lte') return `${side} < ${end()}`;
    return `${side} ${COMPARE[operator]!} ${start()}`;
  }
  if (operator === 'eq') return list ? `${bound(value)} = any(${column})` : `${side} = ${bound(value)}`;
  if (operator === 'ne') return `${side} is distinct from ${bound(value)}`;
  return `${side} ${COMPARE[operator]!} ${bound(value)}`;
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}

/** The moment at which a day (YYYY-MM-DD) begins in the reader's time zone. */
function dayStart(day: string, values: SqlParams): string {
  return midnight(`${values.bind(day)}::date`, values);
}

/** The moment at which the day after begins. */
function dayEnd(day: string, values: SqlParams): string {
  return midnight(`(${values.bind(day)}::date + 1)`, values);
}

function midnight(day: string, values: SqlParams): string {
  const { timezone } = whereWorkIsDone();
  return timezone === null ? `${day}::timestamptz` : `(${day}::timestamp at time zone ${values.bind(timezone)})`;
}

/** Text operators search the displayed text: a reference's label, a list entry, the text itself. */
function likeCondition(field: Field, column: string, pattern: string, { screens, schema, values }: Place): string {
  const like = (expression: string) => `lower(${expression}) like ${values.bind(pattern)}`;
  const target = field.ref && screens.get(field.ref.type);
  if (target) {
    const parts = (target.label.length > 0 ? target.label : ['id'])
      .map((name) => namingText(target, name, 'x', { screens, schema }))
      .map(like)
      .join(' or ');
    const match = field.type === 'refs' ? `x.id = any(${column})` : `x.id = ${column}`;
    return `exists (select 1 from ${tableName(schema, target.name)} x where ${match} and (${parts}))`;
  }
  if (field.type === 'tags') return `exists (select 1 from unnest(${column}) x(tag) where ${like('x.tag')})`;
  return like(`${column}::text`);
}
