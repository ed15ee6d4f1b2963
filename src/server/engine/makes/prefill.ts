import type { Make } from '../../../descriptor/makes.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { plainValue } from '../workflow/plain_value.ts';
import { holds, valueIn } from '../workflow/values.ts';
import type { Surroundings } from '../workflow/values.ts';

type Row = Record<string, unknown>;

/**
 * The initial values of a new record created from a source; rows refer to their source row in `_source`, and have the
 * defaults of their columns.
 */
export async function prefill(around: Surroundings, make: Make, target: Screen, source: WireRecord): Promise<Row> {
  const values: Row = { _from: { type: around.screen.name, id: source.id, make: make.name } };
  for (const [name, text] of Object.entries(make.set)) {
    const field = target.fields.find((one) => one.name === name);
    if (field) Object.assign(values, await filled(around, field, text, source));
  }
  for (const [name, made] of Object.entries(make.rows)) {
    const columns = target.fields.find((one) => one.name === name)?.rows ?? [];
    const fields = around.screen.fields.find((one) => one.name === made.from)?.rows ?? [];
    const begun = Object.fromEntries(
      columns.flatMap(({ name: column, default: value, readOnly }) =>
        value === undefined || readOnly ? [] : [[column, value]],
      ),
    );
    const rows: Row[] = [];
    for (const from of (source[made.from] as Row[] | null) ?? []) {
      const at: Surroundings = { ...around, row: { fields, values: from } };
      if (!(await holds(at, made.when))) continue;
      const row: Row = { _source: from.id, ...begun };
      for (const [column, text] of Object.entries(made.set)) {
        const field = columns.find((one) => one.name === column);
        if (field) Object.assign(row, await filled(at, field, text, { ...source, ...from }));
      }
      rows.push(row);
    }
    values[name] = rows;
  }
  return values;
}

/** The value of a field's expression; a copied reference includes its label. */
async function filled(around: Surroundings, field: Field, text: string, from: Row): Promise<Row> {
  const value = plainValue(field, await valueIn(around, text));
  const label = from[`${text}__label`];
  return { [field.name]: value, ...(field.ref && typeof label === 'string' && { [`${field.name}__label`]: label }) };
}
