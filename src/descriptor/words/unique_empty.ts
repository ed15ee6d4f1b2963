import { checkKeys, conditionalKeys, hasRevisions, plainKeys } from './keys.ts';
import { defineWord } from './word.ts';
import type { WrittenKey } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Keys in which empty values are equal. */
    uniqueEmpty?: (string[] | WrittenKey)[];
  }
  interface ScreenWords {
    /** The keys of `unique` in which empty values are equal. */
    emptyEqual?: string[][];
  }
}

export const uniqueEmpty = defineWord<(string[] | WrittenKey)[]>({
  name: 'uniqueEmpty',
  on: 'screen',
  shape: {
    description: 'Keys as in "unique" in which empty fields are equal: only one record without a zone.',
    $ref: '#/$defs/keysWhen',
    examples: [[['zone_id', 'name']]],
  },
  compile: (written, { descriptor: { unique, workflow } }) => {
    if (!written || hasRevisions(workflow)) return {};
    const when = [...conditionalKeys(unique, false), ...conditionalKeys(written, true)];
    return { emptyEqual: plainKeys(written), ...(when.length > 0 && { uniqueWhen: when }) };
  },
  check: (check) => checkKeys(check, 'uniqueEmpty', check.descriptor.uniqueEmpty),
  chapter: 'Checks',
  doc: [
    '**`uniqueEmpty`**: keys in which two empty fields are equal: only one order without a supplier per day. Use it where',
    'empty means "all", as in a setting for all branches.',
  ],
  example: [{ part: { uniqueEmpty: [['supplier', 'ordered_on']] } }],
});
