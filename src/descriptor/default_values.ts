import { compileExpression } from './expression/compile_expression.ts';
import { needsOf, scopeFor } from './expression/scope.ts';
import type { Layer } from './expression/scope.ts';
import { ExpressionError, fromPlain } from './expression/value.ts';
import { storedForm } from './formulas.ts';
import { atRecord } from './place.ts';
import type { Field, Screen } from './types.ts';
import { recompute } from './validate.ts';

type Row = Record<string, unknown>;

/** Whether a name in a default belongs to the company or the branch: `company.state_id`. */
export const isOfPlace = (name: string): boolean => /^(company|branch)\./.test(name);

/** The inputs of a default: none but the day, the company or branch, or other fields. */
export function defaultLooksAt(field: Field): 'nothing' | 'place' | 'fields' | null {
  if (field.begins === undefined) return null;
  const { names } = compileExpression(field.begins);
  return names.length === 0 ? 'nothing' : names.every(isOfPlace) ? 'place' : 'fields';
}

/** The value of a default, in the form its field stores; null if it cannot be computed. */
export function defaultValue(field: Field, layers: [Layer, ...Layer[]] | [], places: Row = {}): unknown {
  const expression = compileExpression(field.begins!);
  const around = Object.fromEntries(
    expression.names.filter(isOfPlace).map((name) => [name, fromPlain(places[name] ?? null)]),
  );
  try {
    const scope = layers.length === 0 ? {} : scopeFor(needsOf([expression]), ...layers);
    return storedForm(field, expression.evaluate({ ...scope, ...around })) ?? null;
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** Fields, and rows with columns, whose defaults depend on other fields. */
interface Composed {
  fields: Field[];
  rows: { field: Field; columns: Field[] }[];
}
const known = new WeakMap<Screen, Composed | null>();

/** Null if no default of the screen depends on other fields. */
export function composedDefaults(screen: Screen): Composed | null {
  let found = known.get(screen);
  if (found === undefined) {
    const isComposed = (field: Field) => defaultLooksAt(field) === 'fields';
    const fields = screen.fields.filter(isComposed);
    const rows = screen.fields.flatMap((field) => {
      const columns = field.rows?.filter(isComposed) ?? [];
      return columns.length > 0 ? [{ field, columns }] : [];
    });
    found = fields.length + rows.length > 0 ? { fields, rows } : null;
    known.set(screen, found);
  }
  return found;
}

/**
 * Fills in the defaults that depend on other fields, in a new record and in new rows, if they are missing in `given`,
 * the sent values. Returns the same record if there are none.
 */
export function withComposedDefaults(screen: Screen, record: Row, given: Row, isNew: boolean): Row {
  const composed = composedDefaults(screen);
  if (!composed) return record;
  const result = { ...record };
  return atRecord(record, () => {
    if (isNew)
      for (const field of composed.fields)
        if (!(field.name in given))
          result[field.name] = defaultValue(field, [{ fields: screen.fields, record: result }]);
    for (const { field, columns } of composed.rows) {
      const [rows, sent] = [result[field.name], given[field.name]];
      if (!Array.isArray(rows) || !Array.isArray(sent)) continue;
      result[field.name] = rows.map((row: Row | null, at) => {
        const said = sent[at] as Row | null | undefined;
        if (row === null || typeof row !== 'object' || (row.id ?? null) !== null) return row;
        const whole = { ...row };
        for (const column of columns)
          if (!(column.name in (said ?? {})))
            whole[column.name] = defaultValue(column, [
              { fields: field.rows!, record: whole },
              { fields: screen.fields, record: result },
            ]);
        return whole;
      });
    }
    return recompute(screen, result);
  });
}
