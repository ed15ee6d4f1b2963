import { valueOf } from '../../../descriptor/expression/scope.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import { parseFilter } from '../../../descriptor/filter.ts';
import type { Make } from '../../../descriptor/makes.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { filterCondition } from '../records/filter_sql.ts';
import { readRecords } from '../records/read.ts';
import { visibleTable } from '../records/visible_sql.ts';
import { holds } from '../workflow/values.ts';
import type { Surroundings } from '../workflow/values.ts';
import { madeFor } from './links.ts';
import { prefill } from './prefill.ts';

type Row = Record<string, unknown>;

/** The maximum number of documents created in one transaction. */
const MAX_MADE = 200;

/** The row or record, and the scope of its expressions. */
interface Item {
  key: number;
  around: Surroundings;
}

/**
 * The missing records of a make with `each`, as values of new records; one call creates this many, and the next call
 * the rest. `left` is the number of the rest.
 */
export async function missingOf(
  around: Surroundings,
  make: Make,
  target: Screen,
  source: WireRecord,
): Promise<{ values: Row[]; left: number }> {
  const { session, screen } = around;
  const screens = new Map(around.screens);
  const made = await madeFor(session, screens, screen, source.id, make);
  const all = 'rows' in make.each! ? await rowItems(around, make.each, source) : await recordItems(around, make.each!);
  const missing = all.filter(({ key }) => !made.has(key));
  const values: Row[] = [];
  for (const { key, around: at } of missing.slice(0, MAX_MADE)) {
    const filled = await prefill(at, make, target, source);
    values.push({ ...filled, _from: { ...(filled._from as object), each: key } });
  }
  return { values, left: Math.max(0, missing.length - MAX_MADE) };
}

async function rowItems(
  around: Surroundings,
  each: { rows: string; when?: string },
  source: WireRecord,
): Promise<Item[]> {
  const fields = around.screen.fields.find(({ name }) => name === each.rows)?.rows ?? [];
  const items: Item[] = [];
  for (const values of (source[each.rows] as Row[] | null) ?? []) {
    const at: Surroundings = { ...around, row: { fields, values } };
    if (await holds(at, each.when)) items.push({ key: values.id as number, around: at });
  }
  return items;
}

/** Active records that the person sees, in their order. */
async function recordItems(
  around: Surroundings,
  each: Extract<NonNullable<Make['each']>, { type: string }>,
): Promise<Item[]> {
  const { session } = around;
  const screens = new Map(around.screens);
  const of = screens.get(each.type);
  if (!of) return [];
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const where = ['t.active', ...rowScope(session, of, screens, 't', values)];
  const parsed = each.filter === undefined ? null : parseFilter(each.filter, of);
  if (parsed && 'filter' in parsed && parsed.filter)
    where.push(filterCondition(parsed.filter, of, screens, schema, 't', values));
  const rows = await db.query<{ id: number }>(
    preparedStatement(
      `select t.id from ${visibleTable(session, of, screens, 't', values)} where ${where.join(' and ')} order by t.id`,
      values.list,
    ),
  );
  const records = await readRecords(
    session,
    of,
    screens,
    rows.map(({ id }) => id),
  );
  const idField = { ...(of.fields[0] as Field), name: 'id', type: 'integer' };
  return records
    .toSorted((a, b) => a.id - b.id)
    .map((record) => {
      const more: Record<string, Value> = { 'each.id': valueOf(idField, record.id) };
      for (const field of of.fields) if (!field.rows) more[`each.${field.name}`] = valueOf(field, record[field.name]);
      return { key: record.id, around: { ...around, more: { ...around.more, ...more } } };
    });
}
