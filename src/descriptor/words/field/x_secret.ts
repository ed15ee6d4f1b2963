import { fieldType } from '../../fieldtypes/registry.ts';
import { defineWord } from '../word.ts';

export const xSecret = defineWord<boolean | 'encrypted'>({
  name: 'x-secret',
  on: 'field',
  shape: {
    description:
      'true: can be written but is never sent back; "encrypted": a text that is also encrypted in the database.',
    enum: [true, false, 'encrypted'],
    examples: [true, 'encrypted'],
  },
  compile: (written, { field, source, at }) => {
    field.secret = written === true || written === 'encrypted';
    if (written !== 'encrypted') return;
    if (fieldType(field.type).sql(field) === 'text') field.encrypted = true;
    else
      source.report(
        [...at, 'x-secret'],
        `"${field.name}" cannot be encrypted: it is of type ${field.type}.`,
        'Encrypt texts alone; write true for other secrets.',
      );
  },
  chapter: 'Secrets',
  doc: [
    '**`x-secret`**: the value can be written but never read again; the form shows only whether there is one. It cannot be',
    'a column of a list. `"encrypted"`: a text that is also encrypted in the database and in backups, for use by programs',
    'of the product only.',
  ],
  example: [
    {
      part: {
        pin: { $ref: 'types#text', 'x-secret': true },
        portal_password: { $ref: 'types#text', 'x-secret': 'encrypted' },
      },
    },
  ],
});
