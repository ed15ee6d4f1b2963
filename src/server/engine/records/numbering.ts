import { Decimal } from 'decimal.js';
import type { Value } from '../../../descriptor/expression/value.ts';
import { numberTokens } from '../../../descriptor/number_pattern.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { NumberRule, NumberSeries } from '../../../descriptor/words/number.ts';
import { invalid } from '../../db/errors.ts';
import type { Database } from '../../db/database.ts';
import { valueIn } from '../workflow/values.ts';
import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { financialYear } from '../../../descriptor/financial_year.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';

/** A number series: the key of its counter, and the text around the counter. */
export interface Series {
  key: string;
  before: string;
  width: number;
  after: string;
  /** Taken already. */
  value?: number;
}

/**
 * Returns the series of a new record's number. A series is one pattern of one company; the text before and after the
 * counter (financial year, month) is the key. Reads the company once, on the caller's connection: a caller that holds
 * one must not wait for a second.
 */
export async function seriesOf(
  on: Queryable,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): Promise<(record: Record<string, unknown>) => Promise<Series>> {
  const rule = screen.number!;
  const all = seriesIn(rule, screen.scope === 'entity' ? session.entityId : null);
  const dated = screen.fields.find((field) =>
    rule.date === undefined ? field.type === 'date' && /^(date|.*_date)$/.test(field.name) : field.name === rule.date,
  );
  const { zones, fyStartMonth } = placeOf(session);
  let company = { code: '', start: fyStartMonth };
  if (screen.scope === 'entity' && all.some(({ pattern }) => /\{(fy|company)\}/.test(pattern))) {
    const [row] = await on.query<{ code: string; start: number }>(
      preparedStatement(
        `select code, fy_start_month as start from ${quoted(session.tenant.schema)}.entity where id = $1`,
        [session.entityId],
      ),
    );
    if (row) company = row;
  }
  const values = reader(on, session, screen, screens);
  return async (record) => {
    const pattern = await patternFor(all, record, values);
    if (dated && rule.date !== undefined && !record[dated.name])
      throw invalid([{ field: dated.name, message: `${dated.title} is needed for the number.` }]);
    // A financial year begins at midnight in the record's time zone.
    const zone = zoneOf({ branchId: record.branch_id, entityId: session.entityId }, zones);
    const day = String((dated && record[dated.name]) ?? dayIn(zone));
    let [before, after, width] = ['', '', 0];
    for (const token of numberTokens(pattern)) {
      if (token.kind === 'counter') width = token.width;
      else {
        const text =
          token.kind === 'text'
            ? token.text
            : token.kind === 'path'
              ? await neededText(screen, record, token.path, all.length > 1, values)
              : dayOrCompany(token.kind, day, company);
        if (width === 0) before += text;
        else after += text;
      }
    }
    refuseShape(rule, before, before.length + width + after.length);
    const per = (rule.per ?? []).map((name) => String(record[name] ?? ''));
    return {
      key: `${screen.name}|${screen.scope === 'entity' ? session.entityId : ''}|${before}|${after}${per.length > 0 ? `|${JSON.stringify(per)}` : ''}`,
      before,
      width,
      after,
    };
  };
}

/** The series of a rule for a company: the company's own patterns before those of all companies. */
export function seriesIn(
  { pattern, series = [{ pattern }], own = [] }: NumberRule,
  company: number | null,
): NumberSeries[] {
  const written = (place: number) =>
    own.find((one) => one.place === place && one.company === company && company !== null) ??
    own.find((one) => one.place === place && one.company === null);
  return series.map((one, at) => ({ ...one, pattern: written(at + 1)?.pattern ?? one.pattern }));
}

/**
 * Takes numbers of a series that may have gaps: in a separate transaction, so that nobody waits. @returns the last of
 * them
 */
export async function takeAside(session: Session, screen: Screen, series: Series, count = 1): Promise<number> {
  const { db } = session.tenant;
  const values = new SqlParams();
  const [row] = await db.aside.query<{ value: number }>(
    preparedStatement(counterSql(session, screen, series, values, count), values.list),
  );
  return row!.value;
}

/**
 * Takes numbers of a series in the current transaction, which locks the counter until it ends. @returns the last of
 * them
 */
export async function takeNumbers(
  on: Queryable,
  session: Session,
  screen: Screen,
  series: Series,
  count = 1,
): Promise<number> {
  const values = new SqlParams();
  const [row] = await on.query<{ value: number }>(
    preparedStatement(counterSql(session, screen, series, values, count), values.list),
  );
  return row!.value;
}

/** The statement that takes numbers of a series; `from` is the part of a longer one on which it depends. */
export function counterSql(
  session: Session,
  screen: Screen,
  series: Series,
  values: SqlParams,
  count = 1,
  from = '',
): string {
  const by = count === 1 ? '1' : `${values.bind(count)}::integer`;
  return `insert into ${quoted(session.tenant.schema)}.number_counter (key, value) select ${values.bind(series.key)}, ${takenUpTo(session, screen, series, values)} + ${by}${from}
    on conflict (key) do update set value = greatest(number_counter.value + ${by}, excluded.value) returning value`;
}

function dayOrCompany(kind: string, day: string, company: { code: string; start: number }): string {
  if (kind === 'yyyy') return day.slice(0, 4);
  if (kind === 'yy') return day.slice(2, 4);
  if (kind === 'mm') return day.slice(5, 7);
  return kind === 'company' ? company.code : financialYear(day, company.start);
}

type Read = (record: Record<string, unknown>, text: string) => Promise<Value>;

/** Evaluates expressions for records, on the caller's connection. */
function reader(on: Queryable, session: Session, screen: Screen, screens: ReadonlyMap<string, Screen>): Read {
  const db = Object.assign(Object.create(session.tenant.db) as Database, { query: on.query.bind(on) });
  const inside: Session = { ...session, tenant: { ...session.tenant, db } };
  const known = new Map<string, Promise<Value>>();
  return (record, text) => {
    const read = () => valueIn({ session: inside, screen, screens, record }, text);
    // Most of many records refer to the same few others.
    const [first = '', ...rest] = text.split('.');
    if (rest.length === 0 || !/^[\w.]+$/.test(text)) return read();
    const key = `${text} ${String(record[first])}`;
    const value = known.get(key) ?? read();
    known.set(key, value);
    return value;
  };
}

async function patternFor(all: readonly NumberSeries[], record: Record<string, unknown>, read: Read): Promise<string> {
  for (const { when, pattern } of all) if (when === undefined || (await read(record, when)) === true) return pattern;
  return all.at(-1)!.pattern;
}

/** The text of a field in a number. @throws AppError 422 if it is empty */
async function neededText(
  screen: Screen,
  record: Record<string, unknown>,
  path: string,
  apart: boolean,
  read: Read,
): Promise<string> {
  const value = await read(record, path);
  const text = Decimal.isDecimal(value) ? (value as Decimal).toFixed() : String(value ?? '').trim();
  const field = screen.fields.find(({ name }) => name === path.split('.')[0])!;
  if (text === '')
    throw invalid([{ field: field.name, message: `${field.title} has nothing for the number: "${path}" is empty.` }]);
  if (apart && text.includes('/'))
    throw invalid([
      { field: field.name, message: `"${text}" has a /, which parts the numbers: "${path}" goes without.` },
    ]);
  return text;
}

/** @throws AppError 422 for a number that is too long, or has an invalid first character */
function refuseShape({ field, most }: NumberRule, before: string, length: number): void {
  if (most !== undefined && length > most)
    throw invalid([{ field, message: `The number would have ${length} characters; at most ${most} are allowed.` }]);
  if (/^[0\-/]/.test(before))
    throw invalid([{ field, message: `The number would begin with "${before[0]}". It may not begin with 0, - or /.` }]);
}

/** A number of a series. @throws AppError 422 if the counter has made it too long */
export function numberOf(rule: NumberRule, { before, width, after }: Series, value: number): string {
  const text = `${before}${String(value).padStart(width, '0')}${after}`;
  refuseShape(rule, before, text.length);
  return text;
}

/**
 * The highest counter among the used numbers of a series, as an expression. 0 unless some may have been entered by
 * hand: then the counter continues after them.
 */
function takenUpTo(
  { tenant, entityId }: Session,
  screen: Screen,
  { before, after }: Series,
  values: SqlParams,
): string {
  if (!screen.number?.mixed) return '0';
  const column = `lower(t.${quoted(screen.number.field)})`;
  const [head, tail] = [before, after].map((text) => `lower(${values.bind(text)}::text)`) as [string, string];
  const digits = `substr(${column}, length(${head}) + 1, length(${column}) - length(${head}) - length(${tail}))`;
  const company = screen.scope === 'entity' ? ` and t.entity_id = ${values.bind(entityId)}::bigint` : '';
  return `coalesce((select max(${digits}::integer) from ${tableName(tenant.schema, screen.name)} t
    where length(${column}) between length(${head}) + length(${tail}) + 1 and length(${head}) + length(${tail}) + 9 and starts_with(${column}, ${head}) and right(${column}, length(${tail})) = ${tail}
      and ${digits} ~ '^[0-9]+$'${company}), 0)`;
}

/**
 * Checks the number with which a record was stored; if the counter has made it too long, nothing is stored. @throws
 * AppError 422
 */
export async function refuseNumber(
  on: Queryable,
  { tenant }: Session,
  { name, number }: Screen,
  { id }: { id: number },
): Promise<void> {
  if (number?.most === undefined) return;
  const [row] = await on.query<{ number: string | null }>(
    preparedStatement(`select ${quoted(number.field)} as number from ${tableName(tenant.schema, name)} where id = $1`, [
      id,
    ]),
  );
  refuseShape(number, row?.number ?? '', row?.number?.length ?? 0);
}
