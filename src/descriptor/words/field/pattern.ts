import { defineWord } from '../word.ts';

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

export const pattern = defineWord<string>({
  name: 'pattern',
  on: 'field',
  shape: { description: 'Regular expression a text must match.', type: 'string', examples: ['^[A-Z]{2}[0-9]{4}$'] },
  check: (field, { check, at }) => {
    if (typeof field.schema.pattern === 'string' && !compiles(field.schema.pattern))
      check.report(
        [...at, 'pattern'],
        'This pattern is not a regular expression.',
        'Test it before you write it here.',
      );
  },
  chapter: 'Types',
  doc: [],
});
