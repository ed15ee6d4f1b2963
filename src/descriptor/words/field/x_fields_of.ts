import type { OfferedNames } from '../../offered_names.ts';
import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** The names of which record type are offered: those of the type that another field selects. */
    fieldsOf?: OfferedNames;
  }
}

type Written = string | { of: string; what?: OfferedNames['what']; to?: string };

const offered = (written: Written): OfferedNames =>
  typeof written === 'string' ? { of: written, what: 'entered' } : { ...written, what: written.what ?? 'entered' };

export const xFieldsOf = defineWord<Written>({
  name: 'x-fields-of',
  on: 'field',
  shape: {
    description:
      'For tags or a text: the field that selects a record type. The values are names of its editable fields, or of what is named here.',
    examples: ['transaction_type'],
    anyOf: [
      { type: 'string', minLength: 1 },
      {
        type: 'object',
        required: ['of'],
        additionalProperties: false,
        properties: {
          of: { description: 'The field that selects a record type.', type: 'string', minLength: 1 },
          what: {
            description: 'Its editable fields (default), all its fields, its dates, mail addresses, or steps.',
            enum: ['entered', 'fields', 'dates', 'mails', 'steps'],
          },
          to: { description: 'Only references to this type.', type: 'string', minLength: 1 },
        },
      },
    ],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.type === 'tags' || field.type === 'text') field.fieldsOf = offered(written);
    else if (known)
      source.report(
        [...at, 'x-fields-of'],
        `"${field.name}" is of type ${field.type}.`,
        'Write { "$ref": "types#tags", "x-fields-of": … } for several names, types#text for one.',
      );
  },
  check: (field, { check, at, siblings }) => {
    if (field.fieldsOf === undefined) return;
    const { of, to } = field.fieldsOf;
    const path = [...at, 'x-fields-of'];
    const fields = [...siblings, ...check.screen.fields];
    const lists = fields.filter(({ options }) => options).map(({ name }) => name);
    const kind = fields.find(({ name }) => name === of);
    if (!kind) check.unknown(path, of, lists, 'x-fields-of');
    else if (!kind.options)
      check.report(
        path,
        `"${kind.name}" is not a list of record types: it is of type ${kind.type}.`,
        'Name a list of values that are record types.',
      );
    if (to !== undefined && !check.all.drafts.has(to))
      check.report([...path, 'to'], `There is no type "${to}".`, didYouMean(to, [...check.all.drafts.keys()]));
  },
  unbind: (free, { gone }) => {
    if (free.fieldsOf !== undefined && gone.has(free.fieldsOf.of)) delete free.fieldsOf;
  },
  chapter: 'References',
  doc: [
    "**`x-fields-of`** names the record's list of values that selects a record type. The form offers the editable fields of",
    'that type by their titles, for a field of type `tags` several, for `text` one; their names are stored, and others are',
    'refused. `{"of": "about", "what": "dates"}` offers its dates, `"fields"` all fields, `"mails"` mail addresses, `"steps"`',
    'the steps that people take or that follow from a date or a condition; `"to": "employee"` only references to that type.',
  ],
  example: [
    {
      part: {
        about: { enum: ['order'], title: 'About' },
        may_change: { $ref: 'types#tags', title: 'May change', 'x-fields-of': 'about' },
        by_date: { $ref: 'types#text', title: 'Date', 'x-fields-of': { of: 'about', what: 'dates' } },
      },
    },
  ],
});
