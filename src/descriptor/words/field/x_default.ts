import { PEOPLE } from '../../check_context.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** New records name whoever adds them: the user, or their employee. */
    defaultMe?: true;
  }
}

export const xDefault = defineWord<'me'>({
  name: 'x-default',
  on: 'field',
  shape: {
    description: 'me: a new record names whoever adds it, the user or their employee.',
    enum: ['me'],
    examples: ['me'],
  },
  compile: (written, { field, schema, source, at }) => {
    if (written === undefined) return;
    if (field.type === 'ref' && PEOPLE.has(String(schema['x-ref']))) field.defaultMe = true;
    else
      source.report(
        [...at, 'x-default'],
        `"${field.name}" cannot be whoever adds the record: it refers to no user and no employee.`,
        'Leave it out, or write a value as "default".',
      );
  },
  chapter: 'References',
  doc: ['**`x-default`**: with `"me"`, a new record names whoever adds it: the user, or their employee.'],
  example: [{ part: { asked_by_id: { $ref: 'types#ref', 'x-ref': 'employee', 'x-default': 'me' } } }],
});
