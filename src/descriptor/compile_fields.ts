import { fieldTypes } from './fieldtypes/registry.ts';
import { humanise } from './humanise.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Field, JsonSchema } from './types.ts';
import { fieldWords } from './words/field/registry.ts';
import type { FieldCompiling } from './words/word.ts';

/** Infers the type of a field without a named type from its JSON Schema. */
function inferType(schema: JsonSchema): string | null {
  const named = schema['x-type'];
  if (typeof schema['x-ref'] === 'string') return schema.type === 'array' || named === 'refs' ? 'refs' : 'ref';
  if (Array.isArray(schema.enum)) return 'enum';
  if (typeof named === 'string') return named;
  if (typeof schema['x-part'] === 'string') return 'rows';
  if (schema.type === 'array') return schema.items?.properties ? 'rows' : 'tags';
  if (schema.type === 'string')
    return schema.format === 'date' ? 'date' : schema.format === 'date-time' ? 'datetime' : 'text';
  if (schema.type === 'boolean' || schema.type === 'integer') return schema.type;
  if (schema.type === 'number') return 'decimal';
  return schema.type === 'object' ? 'json' : null;
}

/** Compiles the properties of a record (or of a child row) to fields. */
export function compileFields(schema: JsonSchema, source: Source, path: (string | number)[], inRows = false): Field[] {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties ?? {});
  for (const name of required)
    if (!names.includes(name))
      source.report(
        [...path, 'required'],
        `Required field "${name}" is not among the properties.`,
        didYouMean(name, names),
      );
  checkFormerNames(schema.properties ?? {}, source, [...path, 'properties'], inRows);
  return names.flatMap((name) => {
    const at = [...path, 'properties', name];
    const own = schema.properties![name]!;
    if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > 60 || name.includes('__')) {
      source.report(
        at,
        `"${name}" cannot be a field's name.`,
        'Use lower-case letters, digits and single underscores, beginning with a letter, at most 60.',
      );
      return [];
    }
    if ((inRows ? RESERVED_IN_ROWS : RESERVED_FIELDS).has(name)) {
      source.report(
        at,
        `"${name}" is kept for the product: every ${inRows ? 'row' : 'record'} has it.`,
        'Choose another name.',
      );
      return [];
    }
    let type = inferType(own);
    if (type === null || !fieldTypes.has(type)) {
      // An unknown $ref has been reported; the field is then treated as text, so that the mistake is reported only
      // once.
      if (typeof own.$ref !== 'string')
        source.report(
          at,
          type === null ? `Field "${name}" has no type.` : `There is no field type "${type}".`,
          type === null ? 'Write for instance { "$ref": "types#text" }.' : didYouMean(type, fieldTypes.keys()),
        );
      type = 'text';
    }
    if (type === 'rows' && inRows) {
      source.report(
        at,
        'Child rows cannot have child rows.',
        'Make the inner rows a record type of their own that refers to this one.',
      );
      return [];
    }
    return [compileField(name, type, own, required.has(name), source, at)];
  });
}

/** The former names that a field's descriptor gives. */
function formerNames({ was }: JsonSchema): string[] {
  return [was ?? []].flat() as string[];
}

/** A former name must not be the name of a current field, and belongs to only one field. */
function checkFormerNames(
  properties: Record<string, JsonSchema>,
  source: Source,
  path: (string | number)[],
  inRows: boolean,
): void {
  const owners = new Map<string, string>();
  for (const [name, schema] of Object.entries(properties))
    for (const old of formerNames(schema)) {
      const at = [...path, name, 'was'];
      if (
        typeof old !== 'string' ||
        !/^[a-z][a-z0-9_]*$/.test(old) ||
        (inRows ? RESERVED_IN_ROWS : RESERVED_FIELDS).has(old)
      )
        source.report(at, `"${String(old)}" was never a field's name.`, 'Write the name that the field had before.');
      else if (old in properties)
        source.report(at, `"${old}" is still a field.`, 'Take the field of that name away, or leave "was" out.');
      else if (owners.has(old))
        source.report(at, `"${old}" was already "${owners.get(old)}".`, 'Name it in one field alone.');
      owners.set(old, name);
    }
}

const RESERVED_FIELDS = new Set([
  'id',
  'version',
  'active',
  'entity_id',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'custom',
  'constructor',
]);
const RESERVED_IN_ROWS = new Set(['id', 'parent_id', 'position', 'constructor']);

function compileField(
  name: string,
  type: string,
  schema: JsonSchema,
  required: boolean,
  source: Source,
  at: (string | number)[],
): Field {
  const field: Field = {
    name,
    type,
    title: schema.title ?? humanise(name),
    required,
    schema: validating(type, schema),
    secret: false,
    readOnly: schema.readOnly === true,
  };
  const compiling: FieldCompiling = {
    field,
    schema,
    source,
    at,
    known: typeof schema.$ref !== 'string',
    rows: (items) => compileFields(items, source, [...at, 'items'], true),
  };
  for (const word of fieldWords) word.compile?.(schema[word.name], compiling);
  return field;
}

/** The validating part of a field's schema: our words and read-only parts are removed. */
function validating(type: string, schema: JsonSchema): JsonSchema {
  const own: JsonSchema = {};
  for (const [key, value] of Object.entries(schema))
    if (!key.startsWith('x-') && !['$ref', 'properties', 'formatMinimum', 'formatMaximum', 'was'].includes(key))
      own[key] = value;
  if (schema.properties) own.properties = schema.properties;
  if (type === 'enum' && own.type === undefined)
    own.type = (schema.enum ?? []).every((value) => typeof value === 'number') ? 'number' : 'string';
  if (type === 'ref') own.type = 'integer';
  if (type === 'refs') {
    own.type = 'array';
    own.items ??= { type: 'integer', minimum: 1 };
  }
  return own;
}
