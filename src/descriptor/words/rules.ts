import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';
import type { Rule } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    rules?: Rule[];
  }
  interface ScreenWords {
    rules: Rule[];
  }
}

export const rules = defineWord<Rule[]>({
  name: 'rules',
  on: 'screen',
  shape: {
    description: 'Rules across fields, checked in the browser and on the server.',
    type: 'array',
    items: { $ref: '#/$defs/rule' },
    examples: [
      [{ assert: 'valid_to >= valid_from', message: 'The last day cannot be before the first.', field: 'valid_to' }],
    ],
  },
  definitions: {
    rule: {
      type: 'object',
      required: ['assert', 'message'],
      additionalProperties: false,
      examples: [
        { assert: 'valid_to >= valid_from', message: 'The last day cannot be before the first.', field: 'valid_to' },
      ],
      properties: {
        assert: {
          description: 'Expression that must be true, such as valid_to >= valid_from.',
          type: 'string',
          minLength: 1,
        },
        message: { description: "What is wrong and what to do, in the user's words.", type: 'string', minLength: 1 },
        field: {
          description: 'Field beside which the message appears. Default: the record.',
          $ref: '#/$defs/fieldName',
        },
        rows: { description: 'Child rows for each of which the rule is checked.', $ref: '#/$defs/fieldName' },
      },
    },
  },
  compile: (written = []) => ({ rules: written }),
  check: (check) => {
    check.screen.rules.forEach((rule, index) => {
      const inner = rule.rows === undefined ? undefined : check.columns.get(rule.rows);
      if (rule.rows !== undefined && !inner)
        check.report(
          ['rules', index, 'rows'],
          `"${rule.rows}" is not a field with child rows.`,
          didYouMean(rule.rows, check.columns.keys()),
        );
      const rows = check.field(rule.rows)?.rows ?? [];
      check.expression(
        String(rule.assert ?? ''),
        ['rules', index, 'assert'],
        'condition',
        new Set([...check.scope, ...(inner ?? [])]),
        [rows, check.screen.fields],
      );
      if (rule.field !== undefined && !(inner ?? check.names).has(rule.field))
        check.unknown(['rules', index, 'field'], rule.field, inner ?? check.names, 'the rule');
      const words = new Set([...check.names, ...(inner ?? [])]);
      for (const [, word = ''] of String(rule.message ?? '').matchAll(/\{(\w+)\}/g))
        if (!words.has(word)) check.unknown(['rules', index, 'message'], word, words, 'the message');
    });
  },
  overlay: {
    lay: ({ product, changed, speaksOf, speaksOfColumn }) => ({
      rules: product.rules.filter(
        ({ assert, field, rows }) =>
          !speaksOf(assert) &&
          !speaksOfColumn(rows, assert) &&
          !(field !== undefined && rows === undefined && changed.has(field)) &&
          !(rows !== undefined && changed.has(rows)),
      ),
    }),
  },
  chapter: 'Checks',
  doc: [
    '**`rules`**: rules across fields. `assert` is an [expression](#expressions) that must be true; `message` says what is',
    'wrong and what to do; `field` is where the message appears. With `rows`, the rule is checked for each child row and',
    'may use the columns of the row and the fields of the record. A rule does not fail while a value it needs is missing. A',
    'rule also applies to people who cannot see a field that it names; the message then shows `…` for that value. `{total}`',
    'in a message is the displayed value of that field.',
  ],
  example: [
    {
      part: {
        rules: [
          { assert: 'due_on >= ordered_on', message: 'Delivery cannot be before the order.', field: 'due_on' },
          {
            assert: "rate > 0 or status == 'draft'",
            message: 'Enter the rate before you order.',
            field: 'rate',
            rows: 'lines',
          },
          { assert: 'total <= 1000000', message: 'This order comes to {total}; above 10 lakh it needs a contract.' },
        ],
      },
    },
  ],
});
