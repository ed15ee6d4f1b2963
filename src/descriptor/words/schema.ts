import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FieldCheck, ScreenCheck } from '../check_context.ts';
import { objectSchema } from '../fields.ts';
import { rowsSavedApart, rowsVersionField } from './field/x_save.ts';
import { shapeWords } from '../shape_words.ts';
import { fieldWords } from './field/registry.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { Source } from '../source.ts';
import type { Field, JsonSchema } from '../types.ts';

export const schema = defineWord<JsonSchema>({
  name: 'schema',
  on: 'screen',
  required: true,
  shape: { description: 'The fields of a record, as JSON Schema 2020-12.', $ref: '#/$defs/record' },
  definitions: {
    record: {
      type: 'object',
      required: ['properties'],
      additionalProperties: false,
      examples: [{ required: ['code'], properties: { code: { $ref: 'types#code' } } }],
      properties: {
        type: { const: 'object' },
        title: { type: 'string' },
        description: { type: 'string' },
        required: { description: 'Names of the fields that must not be empty.', $ref: '#/$defs/requiredNames' },
        properties: {
          description: 'The fields, by name. Names have lower-case letters, digits and underscores.',
          type: 'object',
          minProperties: 1,
          additionalProperties: { $ref: '#/$defs/field' },
        },
        additionalProperties: { const: false },
        if: { $ref: '#/$defs/condition' },
        then: { $ref: '#/$defs/condition' },
        else: { $ref: '#/$defs/condition' },
        allOf: {
          description: 'Several conditions, all of which must be met.',
          type: 'array',
          items: { $ref: '#/$defs/condition' },
        },
        anyOf: {
          description: 'Conditions, at least one of which must be met.',
          type: 'array',
          items: { $ref: '#/$defs/condition' },
        },
        oneOf: {
          description: 'Conditions, exactly one of which must be met.',
          type: 'array',
          items: { $ref: '#/$defs/condition' },
        },
        not: { $ref: '#/$defs/condition' },
        dependentRequired: {
          description: 'If the first field is filled in, the others are required.',
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          examples: [{ pan: ['gstin'] }],
        },
        dependentSchemas: {
          description: 'If the field is filled in, the schema applies too.',
          type: 'object',
          additionalProperties: { $ref: '#/$defs/condition' },
        },
      },
    },
    condition: { description: 'Plain JSON Schema 2020-12 over the record.', type: ['object', 'boolean'] },
    requiredNames: { type: 'array', items: { type: 'string' }, uniqueItems: true, examples: [['code', 'name']] },
  },
  inspect: (written, source) => {
    const properties: unknown = (written as JsonSchema | null | undefined)?.properties;
    if (
      properties !== null &&
      typeof properties === 'object' &&
      !Array.isArray(properties) &&
      Object.keys(properties).length > 0
    )
      return true;
    source.report(
      ['schema'],
      'The record has no fields.',
      'Write "schema": { "required": ["code", "name"], "properties": { "code": { "$ref": "types#code" }, "name": { "$ref": "types#name" } } }.',
    );
    return false;
  },
  fields: (_written, { fields }) => {
    if (rowsSavedApart(fields).length > 0) fields.push(rowsVersionField());
  },
  compile: (_written, { file, expanded, fields, source }) => {
    const { properties: _properties, required: _required, ...conditions } = expanded;
    const schema = { $id: `mainstay:${file.name}`, ...conditions, ...objectSchema(fields, false) };
    if (Object.keys(conditions).length > 0) checkCompiles(schema, source);
    return { schema, fields };
  },
  check: (check) => {
    checkFields(check, check.screen.fields, ['schema', 'properties']);
    for (const word of fieldWords) word.checkAll?.(check);
    checkConditions(check);
  },
  overlay: {
    needs: (
      { schema: { $id: _id, type: _type, properties: _properties, required: _required, ...conditions } },
      field,
    ) => (JSON.stringify(conditions).includes(`"${field}"`) ? 'other fields depend on it' : null),
  },
  chapter: 'The fields',
  doc: [
    '**`schema`** is [JSON Schema](https://json-schema.org): `properties` are the fields, in the order of the form;',
    '`required` lists the fields that must not be empty. See [Fields](#fields) below.',
    '',
    'Dependencies between fields are written in plain JSON Schema too: `if`, `then`, `else`, `allOf`, `anyOf`, `oneOf`,',
    '`not`, `dependentRequired`, `dependentSchemas`. They belong in `schema`:',
  ],
  example: [
    {
      name: 'schema',
      part: {
        if: { properties: { status: { const: 'ordered' } }, required: ['status'] },
        then: { required: ['supplier'] },
        dependentRequired: { gstin: ['supplier'] },
      },
    },
  ],
});

const JSON_SCHEMA = 'See json-schema.org for the words of JSON Schema 2020-12.';

/** Every word of every field. */
function checkFields(check: ScreenCheck, fields: Field[], path: Path, of?: Field): void {
  const written = path.reduce<unknown>(
    (part, step) => (part as Record<string, unknown> | undefined)?.[step],
    check.descriptor,
  ) as Record<string, Record<string, unknown>> | undefined;
  const scope = of ? new Set([...fields.map(({ name }) => name), ...check.scope]) : check.scope;
  for (const field of fields) {
    const at = [...path, field.name];
    const one: FieldCheck = {
      check,
      at,
      siblings: fields,
      ...(of && { rows: of.name }),
      written: written?.[field.name] ?? {},
      scope,
    };
    for (const word of fieldWords) word.check?.(field, one);
    if (field.rows && !field.part) checkFields(check, field.rows, [...at, 'items', 'properties'], field);
  }
}

/** Fields used in if/then/else and similar keywords. */
function checkConditions(check: ScreenCheck): void {
  const { names } = check;
  const known = (name: unknown, path: Path) =>
    names.has(String(name)) || check.unknown(path, String(name), names, 'the condition');
  const walk = (schema: unknown, path: Path) => {
    if (schema === null || typeof schema !== 'object') return;
    for (const [word, value] of Object.entries(schema)) {
      const at = [...path, word];
      if (['if', 'then', 'else', 'not'].includes(word)) walk(value, at);
      else if (Array.isArray(value) && ['allOf', 'anyOf', 'oneOf'].includes(word))
        value.forEach((inner, index) => walk(inner, [...at, index]));
      else if (Array.isArray(value) && word === 'required' && path.length > 1)
        value.forEach((name, index) => known(name, [...at, index]));
      else if (
        value !== null &&
        typeof value === 'object' &&
        !Array.isArray(value) &&
        ((word === 'properties' && path.length > 1) || word === 'dependentRequired' || word === 'dependentSchemas')
      )
        for (const [name, inner] of Object.entries(value as object)) {
          known(name, [...at, name]);
          if (word === 'dependentSchemas') walk(inner, [...at, name]);
          else if (Array.isArray(inner)) inner.forEach((other, index) => known(other, [...at, name, index]));
        }
    }
  };
  walk(check.descriptor.schema, ['schema']);
}

let conditions: Ajv2020 | undefined;

/** if/then/else and similar keywords are plain JSON Schema: they must at least compile. */
function checkCompiles(schema: JsonSchema, source: Source): void {
  conditions ??= new Ajv2020({ strict: false, allErrors: true, validateFormats: false, addUsedSchema: false });
  const ajv = conditions;
  if (ajv.validateSchema(schema) !== true) {
    // The deepest finding is the mistake; the others are its enclosing keywords.
    const [error] = ajv.errors!.toSorted((a, b) => b.instancePath.length - a.instancePath.length);
    const path = error!.instancePath.split('/').slice(1);
    const place = path.length === 0 ? 'The schema' : `"${path.join('.')}"`;
    source.report(['schema', ...path], `${place} ${shapeWords(error!)}`, JSON_SCHEMA);
    return;
  }
  try {
    // The result is discarded: records are checked with their own validator.
    const { $id: _id, ...own } = schema;
    ajv.compile(own);
    ajv.removeSchema(own);
  } catch {
    source.report(
      ['schema'],
      'A condition of the schema cannot be used: a "$ref" in it leads nowhere, or a "pattern" is no regular expression.',
      JSON_SCHEMA,
    );
  }
}
