import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { valueMessage } from '../../descriptor/validate.ts';
import type { Field } from '../../descriptor/types.ts';
import type { Queryable } from './database.ts';

const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** The rows affected by a change: their number, and some of them by label. */
export interface Concerned {
  affected: number;
  examples: string[];
}

/** How many rows are named in a message. */
export const EXAMPLES = 3;
const ROWS_AT_ONCE = 5_000;

/**
 * Searches a column for values that its field does not accept, using the validation of records, so that this and a
 * later save agree on every value.
 * @param at the table in SQL
 * @param who an SQL expression with the label of its row `t`
 */
export async function countMisfits(
  on: Queryable,
  { at, column, who, field }: { at: string; column: string; who: string; field: Field },
): Promise<Concerned> {
  const check = ajv.compile({ ...field.schema, $id: undefined });
  const found: Concerned = { affected: 0, examples: [] };
  for (let last = 0; ;) {
    const rows = await on.query<{ id: number; value: unknown }>(
      `select id, ${column} as value from ${at} where id > $1 and ${column} is not null order by id limit ${ROWS_AT_ONCE}`,
      [last],
    );
    for (const { id, value } of rows) {
      if (check(value) && valueMessage(field, value) === null) continue;
      found.affected++;
      if (found.examples.length === EXAMPLES) continue;
      const [row] = await on.query<{ who: string }>(`select ${who} as who from ${at} t where t.id = $1`, [id]);
      found.examples.push(`${row?.who ?? id}: ${short(value)}`);
    }
    const end = rows.at(-1);
    if (!end || rows.length < ROWS_AT_ONCE) return found;
    last = end.id;
  }
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
