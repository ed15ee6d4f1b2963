import { humanise } from './humanise.ts';
import type { Field, JsonSchema } from './types.ts';

/** The control type for a value described by a JSON Schema; null if there is none. */
function typeOf(schema: JsonSchema): string | null {
  if (Array.isArray(schema.enum)) return 'enum';
  if (schema.type === 'boolean' || schema.type === 'integer') return schema.type;
  if (schema.type === 'number') return 'decimal';
  if (schema.type === 'string') return schema.format === 'date' ? 'date' : 'text';
  if (schema.type === 'array') return schema.items?.properties ? 'rows' : 'tags';
  return null;
}

/** The fields of a value described by a JSON Schema; members without a control are left out and remain unchanged. */
export function fieldsOfShape({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).flatMap(([name, schema]): Field[] => {
    const type = typeOf(schema);
    if (type === null) return [];
    return [
      {
        name,
        type,
        title: typeof schema.title === 'string' ? schema.title : humanise(name),
        ...(typeof schema.description === 'string' && { help: schema.description }),
        required: required.includes(name),
        schema,
        secret: false,
        readOnly: false,
        ...(type === 'enum' && {
          options: (schema.enum as (string | number)[]).map((value) => ({ value, label: humanise(String(value)) })),
        }),
        ...(type === 'rows' && { rows: fieldsOfShape(schema.items!) }),
      },
    ];
  });
}

/** A member of the value in the form its control shows. */
export function toControl({ type }: Field, value: unknown): unknown {
  if (type === 'decimal' && typeof value === 'number') return String(value);
  if (type === 'tags' && Array.isArray(value)) return value.map(String);
  return value;
}

/** The stored form of a control's value; undefined = none. */
export function fromControl({ type, schema }: Field, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (type === 'decimal') return Number(value);
  if (type === 'tags' && Array.isArray(value)) {
    const numbers = schema.items?.type === 'integer' || schema.items?.type === 'number';
    // An invalid number is left for validation to refuse.
    return numbers ? value.map((one) => (Number.isNaN(Number(one)) ? one : Number(one))) : value;
  }
  return value;
}

/** One line of the list that describes fields. */
export interface DescribedField {
  key?: string;
  title?: string;
  kind?: string;
  required?: boolean;
  minimum?: number;
  maximum?: number;
  choices?: string[];
  /** Its original schema, for keywords that the list cannot express. */
  other?: JsonSchema;
}

const KINDS: Record<string, { label: string; schema: JsonSchema }> = {
  text: { label: 'Text', schema: { type: 'string' } },
  integer: { label: 'Whole number', schema: { type: 'integer' } },
  number: { label: 'Number', schema: { type: 'number' } },
  boolean: { label: 'Yes or no', schema: { type: 'boolean' } },
  date: { label: 'Date', schema: { type: 'string', format: 'date' } },
  choice: { label: 'Choice', schema: {} },
  texts: { label: 'Several texts', schema: { type: 'array', items: { type: 'string' } } },
  integers: { label: 'Several whole numbers', schema: { type: 'array', items: { type: 'integer' } } },
  other: { label: 'As it is', schema: {} },
};

/** The fields with which fields are described. */
const LINE_FIELDS: Field[] = fieldsOfShape({
  required: ['title', 'kind'],
  properties: {
    title: { type: 'string', title: 'Name' },
    kind: { enum: Object.keys(KINDS), title: 'Kind' },
    required: { type: 'boolean', title: 'Required' },
    minimum: { type: 'number', title: 'At least' },
    maximum: { type: 'number', title: 'At most' },
    choices: { type: 'array', items: { type: 'string' }, title: 'Choices' },
  },
}).map((field) =>
  field.name === 'kind'
    ? { ...field, options: Object.entries(KINDS).map(([value, { label }]) => ({ value, label })) }
    : field,
);

/** Which of those a line of this kind has. */
export function lineFields({ kind }: DescribedField): Field[] {
  const ranged = kind === 'integer' || kind === 'number';
  return LINE_FIELDS.filter(
    ({ name }) => (ranged || (name !== 'minimum' && name !== 'maximum')) && (kind === 'choice' || name !== 'choices'),
  );
}

/** The list of fields that a JSON Schema describes. */
export function listOfShape({ properties = {}, required = [] }: JsonSchema): DescribedField[] {
  return Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema);
    const items = schema.items?.type;
    const simple: Record<string, string | null> = {
      enum: 'choice',
      text: 'text',
      decimal: 'number',
      tags: items === 'string' ? 'texts' : items === 'integer' ? 'integers' : null,
      rows: null,
    };
    const kind = type === null ? null : type in simple ? simple[type]! : type;
    return {
      key,
      title: typeof schema.title === 'string' ? schema.title : humanise(key),
      kind: kind ?? 'other',
      ...(required.includes(key) && { required: true }),
      ...(typeof schema.minimum === 'number' && { minimum: schema.minimum }),
      ...(typeof schema.maximum === 'number' && { maximum: schema.maximum }),
      ...(kind === 'choice' && { choices: (schema.enum as unknown[]).map(String) }),
      other: schema,
    };
  });
}

/** The JSON Schema of such a list; lines without a name are incomplete and left out. */
export function shapeOfList(lines: readonly DescribedField[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const line of lines) {
    const title = line.title?.trim() ?? '';
    if (title === '') continue;
    const key = line.key ?? freeKey(title, properties);
    const kept = line.key === undefined ? {} : { ...line.other };
    const kind = line.kind ?? 'text';
    const was = line.other && listOfShape({ properties: { [key]: line.other } })[0]?.kind;
    const own: JsonSchema = kind === was ? kept : { ...KINDS[kind]!.schema };
    for (const word of ['minimum', 'maximum'] as const) {
      delete own[word];
      if ((kind === 'integer' || kind === 'number') && line[word] !== undefined) own[word] = line[word];
    }
    properties[key] = { ...own, title, ...(kind === 'choice' && { enum: line.choices ?? [] }) };
    if (line.required) required.push(key);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** "Notice period, days" → `notice_period_days`; with a number appended if that is taken. */
function freeKey(title: string, taken: object): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 56);
  const base = plain === '' ? 'value' : plain;
  let key = base;
  for (let at = 2; key in taken; at++) key = `${base}_${at}`;
  return key;
}
