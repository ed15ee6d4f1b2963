import { fieldType } from '../../fieldtypes/registry.ts';
import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';
import type { Field } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** "building_id.address": copied when the reference is chosen; `empty`: only while nothing is entered. */
    fetch?: { via: string; field: string; empty?: true };
  }
}

const WRITTEN = new Set(['text', 'name', 'code', 'long_text']);

/** Whether the value of another type's field is valid for this one. */
function canHold(field: Field, from: Field): boolean {
  if (field.ref || from.ref) return field.type === from.type && field.ref?.type === from.ref?.type;
  if (field.type === from.type) return true;
  const [own, other] = [fieldType(field.type), fieldType(from.type)];
  if (own.filter === 'number') return other.filter === 'number' && (own.can.exact || !other.can.exact);
  const text = other.sql(from) === 'text';
  return (WRITTEN.has(field.type) || (field.type === 'enum' && WRITTEN.has(from.type))) && text;
}

export const xFetch = defineWord<string | { from: string; while: 'empty' }>({
  name: 'x-fetch',
  on: 'field',
  shape: {
    description:
      'Copied from the chosen record: reference.field; or { from, while: empty }, which only fills an empty field.',
    examples: ['building_id.address', { from: 'building_id.address', while: 'empty' }],
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['from', 'while'],
        additionalProperties: false,
        properties: { from: { type: 'string' }, while: { const: 'empty' } },
      },
    ],
  },
  compile: (asked, { field, source, at }) => {
    if (asked === undefined) return;
    const written = typeof asked === 'string' ? asked : asked.from;
    const [via, from, ...more] = written.split('.');
    if (typeof asked !== 'string' && field.readOnly)
      source.report(
        [...at, 'x-fetch'],
        `"${field.name}" is read only: it always follows its reference.`,
        `Write "x-fetch": "${written}", or leave "readOnly" out.`,
      );
    else if (!via || !from || more.length > 0)
      source.report(
        [...at, 'x-fetch'],
        `"${written}" is not a reference and its field.`,
        'Write for instance "building_id.address".',
      );
    else field.fetch = { via, field: from, ...(typeof asked !== 'string' && { empty: true }) };
  },
  check: (field, { check, at, siblings, rows }) => {
    if (!field.fetch) return;
    const path = [...at, 'x-fetch'];
    const { via, field: from } = field.fetch;
    const reference = siblings.find((one) => one.name === via);
    if (!reference && rows !== undefined && check.field(via)?.ref) {
      check.report(
        path,
        `"${via}" is a reference of the record, not of the row.`,
        `Fetch "${from}" into a field of the record, and name that field in an "x-formula" of the row.`,
      );
      return;
    }
    if (!reference?.ref || reference.type !== 'ref') {
      check.report(
        path,
        `"${via}" is not a reference of this form.`,
        didYouMean(
          via,
          siblings.filter((one) => one.type === 'ref').map((one) => one.name),
        ),
      );
      return;
    }
    const target = check.all.drafts.get(reference.ref.type)?.screen;
    if (!target) return;
    const found = target.fields.find((one) => one.name === from);
    if (!found)
      check.unknown(
        path,
        from,
        target.fields.map((one) => one.name),
        `x-fetch (a field of ${target.name})`,
      );
    else if (found.secret || found.rows)
      check.report(
        path,
        `"${from}" of ${target.name} cannot be copied: it ${found.secret ? 'is secret' : 'holds child rows'}.`,
        'Choose another field.',
      );
    else if (found.visible !== undefined)
      check.report(
        path,
        `"${from}" of ${target.name} is not visible to everybody ("x-visible"): a copy would show it.`,
        'Choose another field.',
      );
    else if (!canHold(field, found))
      check.report(
        path,
        `"${field.name}" is of type ${field.type} and cannot hold "${from}" of ${target.name}, which is of type ${found.type}.`,
        found.ref
          ? `Write { "$ref": "types#${found.type}", "x-ref": "${found.ref.type}" } with the same "x-fetch".`
          : `Write { "$ref": "types#${found.type}" } with the same "x-fetch".`,
      );
  },
  unbind: (free, { gone }) => {
    if (free.fetch && gone.has(free.fetch.via)) delete free.fetch;
  },
  chapter: 'References',
  doc: [
    '**`x-fetch`** copies a field of the chosen record. With `readOnly` the copy always follows the reference, and is empty',
    'if nothing is chosen. Otherwise it follows until somebody changes it: a sent value that differs from the stored one is',
    'kept, and so is a stored value that differs from the value of the previously chosen record (from the `default`, if',
    'nothing was chosen). In a new record the copied value comes before a `default` that nobody sent. A column is copied through',
    'a reference of its row; if a row needs a value behind a reference of the record, copy it into a field of the record',
    'and use it in an `x-formula` of the row. `{ "from": "branch_id.address1", "while": "empty" }` fills the field only',
    'while it is empty: another choice does not change an existing value.',
  ],
  example: [
    {
      part: {
        ship_to: { $ref: 'types#text', 'x-fetch': { from: 'branch_id.address1', while: 'empty' } },
      },
    },
  ],
});
