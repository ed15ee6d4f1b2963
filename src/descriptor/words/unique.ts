import { checkKeys, conditionalKeys, currentKeys, hasRevisions, plainKeys } from './keys.ts';
import { conditionFields } from '../key_condition.ts';
import { defineWord } from './word.ts';
import type { WrittenKey } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    unique?: (string[] | WrittenKey)[];
  }
  interface ScreenWords {
    unique: string[][];
    /** Keys for records that match a filter. */
    uniqueWhen?: ConditionalKey[];
  }
}

export const unique = defineWord<(string[] | WrittenKey)[]>({
  name: 'unique',
  on: 'screen',
  shape: {
    description:
      'Keys that no two records may share; for company records, within one company. With a condition, a key among the active records that meet it.',
    $ref: '#/$defs/keysWhen',
    examples: [[['code'], ['country_id', 'name']], [{ key: [], when: ['is_base', 'eq', true] }]],
  },
  definitions: {
    keysWhen: {
      description: 'A list of keys, each a list of fields, or such a list with a condition.',
      type: 'array',
      items: {
        if: { type: 'object' },
        then: {
          type: 'object',
          required: ['key', 'when'],
          additionalProperties: false,
          properties: {
            key: {
              description: 'The fields; none = at most one record that meets the condition.',
              type: 'array',
              items: { $ref: '#/$defs/fieldName' },
              uniqueItems: true,
            },
            when: { description: 'Filter: only records that match.', type: 'array', minItems: 2 },
            message: { description: 'Message when a second record is saved.', type: 'string', minLength: 1 },
          },
        },
        else: { $ref: '#/$defs/fieldNames' },
      },
    },
  },
  compile: (written, { descriptor: { uniqueEmpty, workflow } }) => {
    const when = conditionalKeys(written, false);
    // A revision in preparation has the keys of its original.
    if (hasRevisions(workflow))
      return {
        unique: [],
        ...(written || uniqueEmpty
          ? { uniqueWhen: [...currentKeys(written, false), ...currentKeys(uniqueEmpty, true)] }
          : {}),
      };
    return {
      unique: [...plainKeys(written), ...plainKeys(uniqueEmpty)],
      // "uniqueEmpty" comes after this word and adds its own keys.
      ...(when.length > 0 && uniqueEmpty === undefined && { uniqueWhen: when }),
    };
  },
  check: (check) => checkKeys(check, 'unique', check.descriptor.unique),
  overlay: {
    lay: ({ product, changed }) => ({
      unique: product.unique.filter((key) => !key.some((name) => changed.has(name))),
      ...(product.uniqueWhen && {
        uniqueWhen: product.uniqueWhen.filter(
          ({ key, when }) => ![...key, ...conditionFields(when)].some((name) => changed.has(name)),
        ),
      }),
    }),
  },
  chapter: 'Checks',
  doc: [
    '**`unique`**: keys that no two records may share, each a list of fields. Upper and lower case are equal, and for',
    'company records the company is part of every key.',
    '',
    'A key of this word or of `uniqueEmpty` may have a condition: `when` is a filter (`eq`, `ne`, `in`, `empty`,',
    '`notempty`, joined by `and`, `or`) on fields of the record, and the key applies only to active records that match it.',
    'Without fields in `key` there is at most one such record: one draft per branch, one base currency. `message` is shown',
    'when a second one is saved.',
  ],
  example: [
    { part: { unique: [['number'], ['supplier', 'ordered_on']] } },
    {
      part: {
        unique: [
          ['number'],
          {
            key: ['branch_id'],
            when: ['status', 'eq', 'draft'],
            message: 'This branch has a draft already. Send or delete it first.',
          },
        ],
      },
    },
  ],
});
