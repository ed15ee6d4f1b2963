import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Type tags: the field of the record with the record type whose fields are offered. */
    fieldsOf?: string;
  }
}

export const xFieldsOf = defineWord<string>({
  name: 'x-fields-of',
  on: 'field',
  shape: {
    description: 'For tags: the field that selects a record type. The tags are names of its editable fields.',
    type: 'string',
    minLength: 1,
    examples: ['transaction_type'],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.type === 'tags') field.fieldsOf = written;
    else if (known)
      source.report(
        [...at, 'x-fields-of'],
        `"${field.name}" is of type ${field.type}.`,
        'Write { "$ref": "types#tags", "x-fields-of": … } for names of fields.',
      );
  },
  check: (field, { check, at }) => {
    if (field.fieldsOf === undefined) return;
    const path = [...at, 'x-fields-of'];
    const lists = check.screen.fields.filter(({ options }) => options).map(({ name }) => name);
    const kind = check.screen.fields.find(({ name }) => name === field.fieldsOf);
    if (!kind) check.unknown(path, field.fieldsOf, lists, 'x-fields-of');
    else if (!kind.options)
      check.report(
        path,
        `"${kind.name}" is not a list of record types: it is of type ${kind.type}.`,
        'Name a list of values that are record types.',
      );
  },
  unbind: (free, { gone }) => {
    if (free.fieldsOf !== undefined && gone.has(free.fieldsOf)) delete free.fieldsOf;
  },
  chapter: 'References',
  doc: [
    "**`x-fields-of`**, for a field of type `tags`, names the record's list of values that selects a record type. The form",
    'offers the editable fields of that type by their titles; their names are stored.',
  ],
  example: [
    {
      part: {
        about: { enum: ['order'], title: 'About' },
        may_change: { $ref: 'types#tags', title: 'May change', 'x-fields-of': 'about' },
      },
    },
  ],
});
