import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { linearPattern } from '../../../domain/linear_pattern.ts';
import { fieldsOfShape } from '../../../descriptor/shape_fields.ts';
import type { SchemaError } from '../../../descriptor/validate.ts';
import { fieldErrors } from '../../../descriptor/validate.ts';
import type { Field, FieldError, JsonSchema, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { companyScope } from '../../access/rights/scope.ts';
import { isSame } from './history.ts';

type Row = Record<string, unknown>;

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The JSON Schema of a field's value, from the record with this id; everybody who fills in the form may read it. */
export async function shapeOf(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  name: string,
  id: number,
): Promise<JsonSchema> {
  const shape = screen.fields.find((field) => field.name === name)?.shape;
  if (typeof shape !== 'object') throw notFound();
  const target = screens.get(screen.fields.find((field) => field.name === shape.via)?.ref?.type ?? '');
  if (!target) throw notFound();
  const values = new SqlParams();
  const where = [`t.id = ${values.bind(id)}`, ...companyScope(session, target, 't', values)];
  const text = `select t.${quoted(shape.field)} as shape from ${tableName(session.tenant.schema, target.name)} t where ${where.join(' and ')}`;
  const [row] = await session.tenant.db.query<{ shape: unknown }>(preparedStatement(text, values.list));
  if (!row) throw notFound();
  return isObject(row.shape) ? row.shape : {};
}

/** Regular expressions in user-defined schemas must not block the server. Ajv distinguishes patterns by their text. */
const regExp = Object.assign((pattern: string) => Object.assign(linearPattern(pattern), { toString: () => pattern }), {
  code: 'linearPattern',
});

/** The validator of a user-defined schema; compiled each time, because it may change with each save. */
function compiled(schema: JsonSchema) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { regExp } });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  return ajv.compile(schema);
}

/** Errors in values against their schema, and invalid schemas. Unchanged values are not checked again. */
export async function shapeErrors(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  record: Row,
  stored: Row | null,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const field of screen.fields) {
    const { name, shape } = field;
    const value = record[name];
    if (!shape || value === null || value === undefined) continue;
    const by = typeof shape === 'object' ? screen.fields.find((one) => one.name === shape.via) : undefined;
    const kept = (one: Field) => stored !== null && isSame(one, record[one.name], stored[one.name]);
    if (kept(field) && (!by || kept(by))) continue;
    if (!by) {
      if (!isObject(value) || !isShape(value))
        errors.push({ field: name, message: `${field.title} does not describe fields.` });
      continue;
    }
    const id = record[by.name];
    if (typeof id !== 'number') continue;
    const schema = await shapeOf(session, screen, screens, name, id).catch(() => null);
    if (schema === null || !isShape(schema)) continue;
    const check = compiled(schema);
    if (check(value)) continue;
    const found = fieldErrors({ ...screen, fields: fieldsOfShape(schema) }, check.errors as SchemaError[]);
    errors.push(...found.map((error) => ({ ...error, field: error.field === '' ? name : `${name}.${error.field}` })));
  }
  return errors;
}

function isShape(schema: JsonSchema): boolean {
  try {
    compiled(schema);
    return schema.properties === undefined || isObject(schema.properties);
  } catch {
    return false;
  }
}
