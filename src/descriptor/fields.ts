import { didYouMean } from './source.ts';
import { withPeriodColumns } from './period_columns.ts';
import type { Periods } from './period_columns.ts';
import type { Source } from './source.ts';
import type { Field, JsonSchema } from './types.ts';

/** Replaces `$ref: "types#x"` by its definition, recursively; words beside it take precedence. */
export function expand(
  schema: JsonSchema,
  types: Record<string, JsonSchema>,
  source: Source,
  path: (string | number)[],
  key = '',
): JsonSchema {
  let own = schema;
  const reference = schema.$ref;
  if (typeof reference === 'string') {
    const name = /^types#(?:\/\$defs\/)?(\w+)$/.exec(reference)?.[1];
    const found = name === undefined ? undefined : types[name];
    const { $ref: _taken, ...rest } = schema;
    if (found === undefined) {
      source.report(
        [...path, '$ref'],
        `There is no field type "${reference}".`,
        didYouMean(
          reference,
          Object.keys(types).map((key) => `types#${key}`),
        ),
      );
      return { ...rest, $ref: reference };
    }
    own = { ...found, ...rest };
    // The type's title is used for a field with the type's name ("GSTIN"); others are titled by their name ("Mobile").
    if (rest.title === undefined && found.title !== undefined && key.replace(/_id$/, '') !== name) delete own.title;
  }
  const result: JsonSchema = { ...own };
  if (own.properties)
    result.properties = Object.fromEntries(
      Object.entries(own.properties).map(([key, inner]) => [
        key,
        expand(inner, types, source, [...path, 'properties', key], key),
      ]),
    );
  if (own.items && typeof own.items === 'object') {
    const periods = own['x-periods'] as Periods | undefined;
    const items = periods ? withPeriodColumns(own.items, periods) : own.items;
    result.items = expand(items, types, source, [...path, 'items']);
  }
  return result;
}

/** The complete JSON Schema of a record or row, used by Ajv and the form. */
export function objectSchema(fields: Field[], row: boolean): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    properties[field.name] = field.required
      ? { ...field.schema, title: field.title }
      : nullable({ ...field.schema, title: field.title });
  }
  if (row) properties.id = { type: ['integer', 'null'] };
  // The server fills in an automatic number and a formula.
  const required = fields.filter((field) => field.required && !field.readOnly).map((field) => field.name);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** An empty field is null: allowed unless the field is required. */
function nullable(schema: JsonSchema): JsonSchema {
  if (schema.enum)
    return {
      ...schema,
      ...(schema.type !== undefined && { type: [schema.type, 'null'].flat() }),
      enum: [...schema.enum, null],
    };
  return schema.type === undefined ? schema : { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
}
