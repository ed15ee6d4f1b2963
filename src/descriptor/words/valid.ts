import { checkRanges, compileRanges } from './range_keys.ts';
import { defineWord } from './word.ts';
import type { WrittenRange } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Date ranges that must not overlap per key. */
    valid?: WrittenRange | WrittenRange[];
  }
  interface ScreenWords {
    /** Ranges that must not overlap: the words "valid" and "bands". */
    ranges?: RangeKey[];
  }
}

export const valid = defineWord<WrittenRange | WrittenRange[]>({
  name: 'valid',
  on: 'screen',
  shape: {
    description:
      'Date ranges that must not overlap for the same key, among active records; empty key fields count as equal.',
    anyOf: [{ $ref: '#/$defs/range' }, { type: 'array', minItems: 1, items: { $ref: '#/$defs/range' } }],
    examples: [{ from: 'valid_from', to: 'valid_to', key: ['item_id'] }],
  },
  definitions: {
    range: {
      description: 'A range of dates.',
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: { description: 'Field with the first day; empty = no start.', $ref: '#/$defs/fieldName' },
        to: { description: 'Field with the last day; empty = open-ended.', $ref: '#/$defs/fieldName' },
        key: { description: 'Key fields: ranges with the same values must not overlap.', $ref: '#/$defs/fieldNames' },
        rows: {
          description: 'The ranges are those of this rows field, across all records.',
          $ref: '#/$defs/fieldName',
        },
        when: { description: 'Only records that match this filter.', type: 'array', minItems: 2 },
      },
    },
  },
  compile: (written, compiling) => compileRanges('valid', written, compiling),
  check: (check) => checkRanges(check, 'valid', check.descriptor.valid),
  overlay: {
    needs: (screen, field) =>
      screen.ranges?.some(({ from, to, key, rows }) => [rows, ...(rows ? [] : [from, to, ...key])].includes(field))
        ? 'it says when the record holds'
        : null,
  },
  chapter: 'Checks',
  doc: [
    '**`valid`**: date ranges that must not overlap for the same key, such as prices. An empty `to` means "until further',
    'notice". Two empty key fields are equal, so two prices for all branches conflict. Inactive records do not conflict.',
    '`when` is a filter as above. With `rows`, the ranges are child rows, compared across all records: one team per person',
    'and day. Several such rules are written as a list. The database enforces them for every way of writing, and for',
    'concurrent writes.',
  ],
  example: [
    { part: { valid: { from: 'ordered_on', to: 'due_on', key: ['branch_id'], when: ['status', 'ne', 'draft'] } } },
  ],
});
