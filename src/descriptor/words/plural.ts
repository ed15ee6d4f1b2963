import { defineWord } from './word.ts';

/** English plural by rule: branch → branches, company → companies, day → days. */
export function pluralOf(title: string): string {
  if (/[^aeiou]y$/i.test(title)) return `${title.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(title) ? `${title}es` : `${title}s`;
}

export const plural = defineWord<string>({
  name: 'plural',
  on: 'screen',
  shape: {
    description: 'Default: the title with an English plural.',
    type: 'string',
    minLength: 1,
    maxLength: 60,
    examples: ['Branches'],
  },
  after: ['kind', 'title'],
  compile: (written, { screen: { kind, title } }) => ({
    plural: written ?? (kind === 'settings' ? title : pluralOf(title)),
  }),
  chapter: 'What it is',
  doc: [
    '**`plural`** is derived from the title (branch → branches); write it where English has an irregular form: `"plural":',
    '"Staff"`.',
  ],
  example: [{ part: { title: 'Staff member', plural: 'Staff' } }],
});
