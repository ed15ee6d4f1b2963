import { defineWord } from '../word.ts';

export const defaultValue = defineWord({
  name: 'default',
  on: 'field',
  shape: { description: 'Value of a new record.' },
  compile: (written, { field }) => {
    if (written !== undefined) field.default = written;
  },
  check: (field, { check, at }) => {
    if (field.default === undefined || field.type === 'rows') return;
    const message = check.all.valueError(field, field.default);
    if (message !== null)
      check.report(
        [...at, 'default'],
        `The default ${JSON.stringify(field.default)} is not a valid value of "${field.name}": ${message}`,
        'Change the default or the field.',
      );
  },
  chapter: 'Types',
  doc: [],
});
