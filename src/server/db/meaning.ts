import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Field, JsonSchema, Scope, Screen } from '../../descriptor/types.ts';
import { columnType } from './column_type.ts';

/** The meaning of a field's stored values, beyond the type of their column. */
export interface FieldMeaning {
  type: string;
  /** The record type that the ids refer to. */
  ref?: string;
  unit?: string;
  encrypted?: true;
  /** The constraints on a value. */
  rules?: Record<string, unknown>;
  /** Former names. */
  was?: string[];
  /** Of child rows: their columns. */
  rows?: Record<string, FieldMeaning>;
}

/** The meaning of a record type's stored rows: stored for each schema as last accepted. */
export interface Meaning {
  scope: Scope;
  fields: Record<string, FieldMeaning>;
}

const RULES = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const;

/** The part of a field's schema that decides which values are valid. */
function rulesOf({ schema, earliest, latest, type }: Field): Record<string, unknown> {
  const rules: Record<string, unknown> = {};
  for (const rule of RULES) if (schema[rule] !== undefined) rules[rule] = schema[rule];
  if (type === 'tags' && schema.items) rules.items = rulesOfItems(schema.items);
  if (earliest !== undefined) rules.earliest = earliest;
  if (latest !== undefined) rules.latest = latest;
  return rules;
}

function rulesOfItems(items: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(RULES.flatMap((rule) => (items[rule] === undefined ? [] : [[rule, items[rule]]])));
}

/** The meaning of a field's values according to its current descriptor. */
export function meaningOfField(field: Field): FieldMeaning {
  const rules = field.rows ? {} : rulesOf(field);
  return {
    type: field.type,
    ...(field.ref && { ref: field.ref.type }),
    ...(field.unit !== undefined && { unit: field.unit }),
    ...(field.encrypted && { encrypted: true as const }),
    ...(Object.keys(rules).length > 0 && { rules }),
    ...(field.was && { was: field.was }),
    ...(field.rows && !field.part && { rows: ofFields(field.rows) }),
  };
}

function ofFields(fields: Field[]): Record<string, FieldMeaning> {
  return Object.fromEntries(fields.map((field) => [field.name, meaningOfField(field)]));
}

/** The meaning of the rows of a screen's record type. */
export function meaningOf({ scope, fields }: Screen): Meaning {
  return { scope, fields: ofFields(fields) };
}

/** How a field's values would change their meaning, or become invalid. */
export interface Shift {
  reason: string;
  /** The affected rows: all with a value, or those whose value becomes invalid. */
  concerns: 'values' | 'misfits';
  /** Applied on purpose, the values are deleted, because they would be wrong. */
  empties: boolean;
}

const WHOLE_AND_EXACT = new Set(['integer', 'decimal', 'quantity', 'money']);

/** Whether values of one type have the same notation as those of the other, as far as the column can hold them. */
function readsAlike(from: string, to: string): boolean {
  return (
    from === to ||
    (WHOLE_AND_EXACT.has(from) && WHOLE_AND_EXACT.has(to)) ||
    (from === 'date' && to === 'datetime') ||
    // The id of a record of a type stored beside it.
    (from === 'integer' && to === 'record') ||
    (fieldType(from).can.file && to === 'file')
  );
}

/**
 * The change between the accepted meaning of a field and its current descriptor; null = nothing that affects stored
 * values.
 */
export function shiftOf(before: FieldMeaning, field: Field): Shift | null {
  const now = meaningOfField(field);
  if (before.rows || now.rows) return null;
  if (before.ref !== now.ref && before.ref !== undefined)
    return {
      reason: now.ref
        ? `the numbers stored refer to ${before.ref} and would refer to ${now.ref}`
        : `the numbers stored refer to ${before.ref} and would refer to nothing`,
      concerns: 'values',
      empties: true,
    };
  if (before.ref === undefined && now.ref !== undefined)
    return { reason: `the values stored would refer to ${now.ref}`, concerns: 'values', empties: true };
  if (before.encrypted && !now.encrypted)
    return { reason: 'the values stored are encrypted and could no longer be read', concerns: 'values', empties: true };
  const text = columnType(field) === 'text' && isText(before);
  if (before.type !== now.type && !text && !readsAlike(before.type, now.type))
    return {
      reason: `a value of type ${before.type} means something else as ${now.type}`,
      concerns: 'values',
      empties: false,
    };
  if (before.unit !== now.unit && before.unit !== undefined)
    return {
      reason: `the values stored are in ${before.unit}${now.unit ? `, not in ${now.unit}` : ''}`,
      concerns: 'values',
      empties: false,
    };
  if (before.type !== now.type || !isDeepStrictEqual(before.rules, now.rules))
    return { reason: 'rows hold values that the field no longer takes', concerns: 'misfits', empties: false };
  return null;
}

const isText = ({ type }: FieldMeaning): boolean => fieldType(type).can.text;
