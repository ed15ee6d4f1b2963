import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Type record: the field beside it with the record's type, and the allowed types. */
    refBy?: { field: string; types: string[]; acrossCompanies?: true };
  }
}

export const xRefBy = defineWord<string>({
  name: 'x-ref-by',
  on: 'field',
  shape: {
    description: 'The field that names the type of the record referred to: a list of values that are record types.',
    type: 'string',
    minLength: 1,
    examples: ['owner_kind'],
  },
  compile: (written, { field, source, at, known }) => {
    if (field.type === 'record' && written === undefined)
      source.report(
        at,
        `Field "${field.name}" refers to nothing.`,
        'Say which field names the type: "x-ref-by": "owner_kind".',
      );
    if (written === undefined) return;
    if (field.type === 'record') field.refBy = { field: written, types: [] };
    else if (known)
      source.report(
        [...at, 'x-ref-by'],
        `"${field.name}" is of type ${field.type}.`,
        'Write { "$ref": "types#record", "x-ref-by": … } for a record of any of several types.',
      );
  },
  check: (field, { check, at, siblings }) => {
    if (!field.refBy) return;
    const path = [...at, 'x-ref-by'];
    const names = siblings.filter(({ options }) => options).map(({ name }) => name);
    const kind = siblings.find(({ name }) => name === field.refBy!.field);
    if (!kind) check.unknown(path, field.refBy.field, names, 'x-ref-by');
    else if (!kind.options)
      check.report(
        path,
        `"${kind.name}" is not a list of record types: it is of type ${kind.type}.`,
        'Give it an "enum" of record types, such as ["customer", "vendor_mstr"].',
      );
    else
      for (const { value } of kind.options) {
        const target = check.all.drafts.get(String(value))?.screen;
        if (!target) {
          if (!check.all.fileNames.has(String(value)))
            check.report(
              path,
              `"${String(value)}", a value of "${kind.name}", is no record type.`,
              didYouMean(String(value), check.all.drafts.keys()),
            );
        } else if ((target.scope === 'platform') !== (check.screen.scope === 'platform'))
          check.report(
            path,
            `A record of ${target.name} cannot be referred to here: one of the two lives on the platform.`,
            `Take "${target.name}" out of the values of "${kind.name}".`,
          );
      }
  },
  link: (field, siblings, screen, screens) => {
    if (!field.refBy) return;
    const kind = siblings.find(({ name }) => name === field.refBy!.field);
    const types = (kind?.options ?? []).map(({ value }) => String(value)).filter((name) => screens.has(name));
    field.refBy = {
      field: field.refBy.field,
      types,
      ...(screen.scope !== 'entity' && { acrossCompanies: true as const }),
    };
  },
  // Without its type the record is unknown, and another cannot be chosen.
  unbind: (free, { gone }) => {
    if (free.refBy && gone.has(free.refBy.field)) {
      free.refBy = { ...free.refBy, types: [] };
      free.readOnly = true;
    }
  },
  chapter: 'References',
  doc: [
    "**`x-ref-by`**, for a field of type `record`, names the field beside it that holds the record's type: a list of values",
    'that are record types. The picker offers the records of that type that the person may see, and the server accepts no',
    'others. Choosing another type empties the field. The record is shown by its name, as a link; it cannot be deleted',
    'while it is referred to in this way, unless the field is read-only. Neither of the two fields can be imported from a',
    'sheet.',
  ],
  example: [
    {
      part: {
        asked_for: { enum: ['order'], title: 'Asked for' },
        asked_for_id: { $ref: 'types#record', title: 'Which one', 'x-ref-by': 'asked_for' },
      },
    },
  ],
});
