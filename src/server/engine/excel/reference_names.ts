import type { Field, Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/tables.ts';
import { isOrHas, labelExpression } from '../../db/columns.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { UnknownRecord } from './cell_error.ts';

/** The names of records in a column, resolved: an id, or the error and the records that share the name. */
export type Names = Map<string, { id: number } | { error: string; candidates?: number[]; unknown?: UnknownRecord }>;

const BATCH = 5_000;

/** The names in a cell: a list for several references, the whole text for one; `texts` collects those of each field. */
export function namesOf(field: Field, cell: unknown, texts: Map<Field, Set<string>>): string[] {
  const text = String(cell).trim();
  const names =
    field.type === 'refs'
      ? text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
      : [text];
  const known = texts.get(field) ?? new Set();
  texts.set(field, known);
  for (const name of names) known.add(name);
  return names;
}

/**
 * Finds the records that cells name, by any label field of the type, code or name, ignoring case: one statement for up
 * to 5,000 different texts of a column. A record named by another one, such as a contract line by its lift, is found by
 * that name. A record that the field may not refer to is an error, and is returned for a record that already refers to
 * it.
 */
export async function resolveNames(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  field: Field,
  target: Screen,
  texts: Set<string>,
): Promise<Names> {
  const names: Names = new Map();
  const columns = [...new Set([...target.label, 'code', 'name', 'empno', 'username'])].filter((name) =>
    target.fields.some((one) => one.name === name && ['text', 'name', 'code', 'email'].includes(one.type)),
  );
  const { schema, db } = session.tenant;
  const ofCompany = target.scope === 'entity';
  const companies = field.ref?.acrossCompanies ? session.entityIds : [session.entityId];
  const all = [...texts];
  const shown = labelExpression(target, 't', { screens, schema });
  const expressions = columns.map((column) => `t."${column}"`);
  if (target.fields.find(({ name }) => name === target.label[0])?.type === 'ref') expressions.push(shown);
  for (let from = 0; expressions.length > 0 && from < all.length; from += BATCH) {
    const batch = all.slice(from, from + BATCH);
    const company = ofCompany ? ' and t.entity_id = any($2)' : '';
    const values = new SqlParams();
    values.bind(batch.map((text) => text.toLowerCase()));
    if (ofCompany) values.bind(companies);
    const fits = [
      'true',
      ...Object.entries(field.ref?.fixed ?? {}).map(([name, value]) =>
        isOrHas(target, name, values.bind(String(value))),
      ),
    ].join(' and ');
    const union = expressions
      .map(
        (name) =>
          `select lower(${name}) as text, t.id, t.active, coalesce(${fits}, false) as fits from ${tableName(schema, target.name)} t where lower(${name}) = any($1)${company}`,
      )
      .join(' union ');
    const rows = await db.query<{ text: string; id: number; active: boolean; fits: boolean }>(union, values.list);
    const byText = Map.groupBy(rows, (row) => row.text);
    for (const text of batch) {
      const found = byText.get(text.toLowerCase()) ?? [];
      const fitting = found.filter((row) => row.fits);
      const usable = fitting.filter((row) => row.active);
      const one = usable.length > 0 ? usable : fitting.length > 0 ? fitting : found;
      const ids = [...new Set(one.map((row) => row.id))];
      if (found.length > 0 && fitting.length === 0)
        names.set(text, { error: `${field.title} "${text}" cannot be used here.`, candidates: ids });
      else if (ids.length === 1) names.set(text, { id: ids[0]! });
      else if (ids.length === 0)
        names.set(text, {
          error: `${field.title} "${text}" is not in the list of ${inSentence(target.plural)}.`,
          unknown: { type: target.name, name: text },
        });
      else
        names.set(text, {
          error: `${field.title} "${text}" names ${ids.length} records. Write the code instead.`,
          candidates: ids,
        });
    }
  }
  for (const text of texts) if (!names.has(text)) names.set(text, { error: `${field.title} "${text}" is not known.` });
  return names;
}
