import { fieldType } from '../../fieldtypes/registry.ts';
import { defineWord } from '../word.ts';

/** Compiled with the reference, by "x-ref". */
export const xRefFilter = defineWord<Record<string, unknown>>({
  name: 'x-ref-filter',
  on: 'field',
  shape: {
    description:
      'Restricts the choice: field of the other type → field of this form with the same value, or a fixed value.',
    type: 'object',
    additionalProperties: { $ref: '#/$defs/narrowedBy' },
    minProperties: 1,
    examples: [{ country_id: 'country' }, { status: { const: 'active' } }],
  },
  definitions: {
    narrowedBy: {
      description: 'A field of this form, or { "const": value }.',
      examples: ['country', { const: 'active' }],
      if: { type: 'object' },
      then: {
        type: 'object',
        required: ['const'],
        additionalProperties: false,
        properties: {
          const: {
            description: "The value that the other type's field must have; for tags, one that they must contain.",
            type: ['string', 'number', 'boolean'],
            examples: ['active'],
          },
        },
      },
      else: { description: 'Name of a field of this form, or { "const": value }.', type: 'string' },
    },
  },
  compile: (written, { field, source, at, known }) => {
    if (field.ref === undefined && written !== undefined && known)
      source.report(
        [...at, 'x-ref-filter'],
        `"${field.name}" refers to nothing, so there is no choice to narrow.`,
        'Leave it out, or say what the field refers to: "x-ref": "branch".',
      );
  },
  check: (field, { check, at }) => {
    const found = check.all.drafts.get(field.ref?.type ?? '')?.screen;
    if (!field.ref || !found) return;
    const unknown = (theirs: string, path: (string | number)[]) =>
      check.unknown(
        path,
        theirs,
        found.fields.map((one) => one.name),
        `x-ref-filter (a field of ${found.name})`,
      );
    for (const [theirs, ours] of Object.entries(field.ref.filter ?? {})) {
      if (!found.fields.some((one) => one.name === theirs)) unknown(theirs, [...at, 'x-ref-filter']);
      if (!check.field(ours) && !check.screen.fields.some((one) => one.rows?.some((inner) => inner.name === ours)))
        check.unknown([...at, 'x-ref-filter', theirs], ours, check.names, 'x-ref-filter (a field of this form)');
    }
    for (const [theirs, value] of Object.entries(field.ref.fixed ?? {})) {
      const path = [...at, 'x-ref-filter', theirs];
      const other = found.fields.find((one) => one.name === theirs);
      if (!other) unknown(theirs, path);
      else if (!fieldType(other.type).can.fixed)
        check.report(
          path,
          `"${theirs}" of ${found.name} cannot be compared with a fixed value: it is of type ${other.type}.`,
          'Choose a list of values, a text, a number, yes or no, or tags.',
        );
      else {
        const message = check.all.valueError(other, other.type === 'tags' ? [value] : value);
        if (message !== null)
          check.report(
            [...path, 'const'],
            `${JSON.stringify(value)} is not a valid value of "${theirs}" of ${found.name}: ${message}`,
            'Write a value that a record can have there.',
          );
      }
    }
  },
  unbind: (free, { gone }) => {
    if (free.ref?.filter)
      free.ref = {
        ...free.ref,
        filter: Object.fromEntries(Object.entries(free.ref.filter).filter(([, ours]) => !gone.has(ours))),
      };
  },
  chapter: 'References',
  doc: [
    '**`x-ref-filter`** restricts the choice: the field of the other type must equal the value of a field in this form, or',
    'the fixed value in `{ "const": … }`; a field of tags must contain it. A saved choice remains valid if the chosen',
    'record later no longer matches a fixed value.',
  ],
});
