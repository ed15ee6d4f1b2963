import { expect, test } from 'vitest';
import { inSentence } from '../../../src/descriptor/in_sentence.ts';

test.each([
  ['Customer grade', 'customer grade'],
  ['AMC type', 'AMC type'],
  ['KPIs', 'KPIs'],
  ['HSN/SAC code', 'HSN/SAC code'],
  ['Sub-region', 'sub-region'],
  ['E-mail account', 'e-mail account'],
])('%s stands in a sentence as %s', (title, expected) => {
  expect(inSentence(title)).toBe(expected);
});
