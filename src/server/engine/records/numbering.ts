import type { Screen } from '../../../descriptor/types.ts';
import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { financialYear } from '../../../descriptor/financial_year.ts';
import type { Values } from '../../db/sql_text.ts';
import { named } from '../../db/sql_text.ts';

/** A series of numbers: its counter's key, and what stands around the counter. */
export interface Series {
  key: string;
  before: string;
  width: number;
  after: string;
}

/**
 * Tells the series that a new record's number belongs to. A series is one pattern of one company; what stands
 * before and after the counter (financial year, month) makes the key. Reads the company once, on the connection
 * that the caller has: whoever holds one must not wait for a second.
 */
export async function seriesOf(
  on: Queryable,
  session: Session,
  screen: Screen,
): Promise<(record: Record<string, unknown>) => Series> {
  const pattern = screen.number!.pattern;
  const dated = screen.fields.find((field) => field.type === 'date' && /^(date|.*_date)$/.test(field.name));
  const { zones, fyStartMonth } = placeOf(session);
  let company = { code: '', start: fyStartMonth };
  if (screen.scope === 'entity' && /\{(fy|company)\}/.test(pattern)) {
    const [row] = await on.query<{ code: string; start: number }>(
      named(`select code, fy_start_month as start from ${quoted(session.tenant.schema)}.entity where id = $1`, [
        session.entityId,
      ]),
    );
    if (row) company = row;
  }
  return (record) => {
    // A financial year begins at midnight where the record belongs.
    const zone = zoneOf({ branchId: record.branch_id, entityId: session.entityId }, zones);
    const day = String((dated && record[dated.name]) ?? dayIn(zone));
    const filled = pattern.replace(/\{(fy|yyyy|yy|mm|company)\}/g, (_all, word: string) => {
      if (word === 'yyyy') return day.slice(0, 4);
      if (word === 'yy') return day.slice(2, 4);
      if (word === 'mm') return day.slice(5, 7);
      return word === 'company' ? company.code : financialYear(day, company.start);
    });
    const [, before = '', zeros = '0', after = ''] = /^(.*?)\{(0+)\}(.*)$/.exec(filled) ?? [];
    return {
      key: `${screen.name}|${screen.scope === 'entity' ? session.entityId : ''}|${before}|${after}`,
      before,
      width: zeros.length,
      after,
    };
  };
}

/**
 * The highest counter among numbers of a series that are taken, as an expression. 0 unless some may have been entered
 * by hand: then the counter goes on behind them.
 */
export function takenUpTo(
  { tenant, entityId }: Session,
  screen: Screen,
  { before, after }: Series,
  values: Values,
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
