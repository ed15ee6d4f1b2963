import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { month } from '../../../descriptor/fieldtypes/month.ts';
import type { ListGroup, ListGroups } from '../../../descriptor/list_groups.ts';
import { MAX_GROUPS, canGroup, canSum } from '../../../descriptor/list_groups.ts';
import type { Field, FilterExpression, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { columnSql, labels } from '../../db/columns.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { conditions } from './list.ts';
import type { ListQuery } from './list_query.ts';
import { rowsOf } from './rows_of.ts';

/** The field that groups a list, and the fields that are added up. */
export interface GroupQuery {
  by: Field;
  sums: Field[];
}

/** Parses the request: `by` a field, `sums` comma-separated fields. @throws AppError 400 */
export function parseGroupQuery(given: Record<string, string | undefined>, screen: Screen): GroupQuery {
  const wrong = (field: string, message: string) => new AppError(400, 'bad_request', message, { field });
  const named = (name: string) => screen.fields.find((field) => field.name === name);
  const by = named(given.by ?? '');
  if (!by || !canGroup(by)) throw wrong('by', `There is no column "${given.by ?? ''}" to group by.`);
  const names = (given.sums ?? '').split(',').filter(Boolean);
  const sums = names.map((name) => {
    const field = named(name);
    if (!field || !canSum(field)) throw wrong('sums', `There is no column "${name}" to add up.`);
    return field;
  });
  return { by, sums };
}

type Found = Record<string, unknown> & { value: unknown; count: number; from?: string; to?: string };

/**
 * The rows of a list grouped by one field, dates by month, with their number and exact sums; only the largest groups if
 * there are too many.
 */
export async function listGroups(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: ListQuery,
  { by, sums }: GroupQuery,
): Promise<ListGroups> {
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const where = conditions(session, screen, screens, query, values);
  const rows = rowsOf(session, screen, screens, 't', values, query.choice);
  const { value, text, span } = groupedBy(by, placeOf(session).timezone, values);
  const added = sums.map((field, at) => `${sumSql(field, screen)}::text as s${at}`);
  const grouped = `select ${value} as ${quoted(by.name)}, count(*)::int as n${text ? `, min(${text}) as first_text` : ''}${added.map((one) => `, ${one}`).join('')}
    from ${rows}${where.length > 0 ? ` where ${where.join(' and ')}` : ''} group by 1 order by count(*) desc, 1 limit ${MAX_GROUPS + 1}`;
  const shown = [`g.${quoted(by.name)} as value`, 'g.n as count', ...sums.map((_, at) => `g.s${at}`)]
    .concat(text ? 'g.first_text' : [], span ?? [])
    .concat(by.ref ? labels(screens, schema, [by], 'g') : []);
  const found = await db.query<Found>(preparedStatement(`select ${shown.join(', ')} from (${grouped}) g`, values.list));
  const groups = found.slice(0, MAX_GROUPS).map((row): ListGroup => ({
    label: labelOf(by, row),
    count: row.count,
    sums: Object.fromEntries(
      sums.flatMap(({ name, unitFrom }, at): [string, string][] => {
        const sum = row[`s${at}`] as string | null;
        // Without a sum the rows are in several units.
        return sum === null && unitFrom !== undefined ? [] : [[name, sum ?? '0']];
      }),
    ),
    filter: filterOf(by, row),
    value: row.value as ListGroup['value'],
  }));
  return { groups: inOrder(by, groups), more: found.length > MAX_GROUPS };
}

/** The sum of a field; null where its values are in several units, or in one that is not known. */
function sumSql(field: Field, { fields }: Screen): string {
  const column = columnSql(field, 't');
  const unit = fields.find(({ name }) => name === field.unitFrom);
  if (!unit) return `sum(${column})`;
  const of = `${columnSql(unit, 't')}::text`;
  return `case when count(${column}) < 2 or (count(distinct ${of}) filter (where ${column} is not null) = 1
    and count(${of}) filter (where ${column} is not null) = count(${column})) then sum(${column}) end`;
}

/** The group key of rows: the value, for texts ignoring case, for dates the month; `span`: start and end of a month. */
function groupedBy(by: Field, zone: string, values: SqlParams): { value: string; text?: string; span?: string[] } {
  const column = columnSql(by, 't');
  if (by.type === 'date')
    return {
      value: `date_trunc('month', ${column})::date`,
      span: [
        `to_char(g.${quoted(by.name)}, 'YYYY-MM-DD') as from`,
        `to_char(g.${quoted(by.name)} + interval '1 month - 1 day', 'YYYY-MM-DD') as to`,
      ],
    };
  if (by.type === 'datetime') {
    const at = `${values.bind(zone)}::text`;
    const first = `g.${quoted(by.name)}`;
    const moment = (local: string) =>
      `to_char((${local}) at time zone ${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
    return {
      value: `date_trunc('month', ${column} at time zone ${at})::date`,
      span: [`${moment(`${first}::timestamp`)} as from`, `${moment(`${first} + interval '1 month'`)} as to`],
    };
  }
  const isText = fieldType(by.type).sql(by) === 'text';
  if (!isText || by.options) return { value: isText ? `nullif(${column}, '')` : column };
  return { value: `nullif(lower(${column}), '')`, text: column };
}

const isMonth = ({ type }: Field): boolean => type === 'date' || type === 'datetime';

function labelOf(by: Field, row: Found): string {
  if (row.value === null) return '';
  if (isMonth(by)) return month.format(String(row.value).slice(0, 7), by);
  if (by.ref) return typeof row[`${by.name}__label`] === 'string' ? String(row[`${by.name}__label`]) : '';
  return fieldType(by.type).format(row.first_text ?? row.value, by);
}

/** The condition of a list for the rows of a group. */
function filterOf({ name, ...by }: Field, { value, from, to }: Found): FilterExpression {
  if (value === null) return [name, 'empty'];
  if (by.type === 'date') return [name, 'between', [from, to]];
  if (by.type === 'datetime') return ['and', [name, 'gte', from], [name, 'lt', to]];
  return by.ref ? [name, 'in', [Number(value)]] : [name, 'eq', value];
}

/** Months newest first, choices in the order of their list, all others by displayed text; empty values last. */
function inOrder(by: Field, groups: ListGroup[]): ListGroup[] {
  const place = (value: unknown) => by.options?.findIndex((option) => option.value === value) ?? 0;
  const compare = (a: ListGroup, b: ListGroup) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    if (isMonth(by)) return String(b.value).localeCompare(String(a.value));
    return place(a.value) - place(b.value) || a.label.localeCompare(b.label, 'en', { numeric: true });
  };
  return groups.toSorted(compare);
}
