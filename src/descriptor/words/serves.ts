import { defineWord } from './word.ts';
import type { JsonSchema, Serves } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** The role of the type in the engine. */
    serves?: Serves;
  }
  interface ScreenWords {
    serves?: Serves;
  }
}

const letterhead = {
  type: 'object',
  required: ['letterhead'],
  additionalProperties: false,
  properties: {
    letterhead: {
      description: 'Its letterhead.',
      type: 'object',
      required: ['name', 'lines'],
      additionalProperties: false,
      properties: {
        name: { $ref: '#/$defs/fieldName' },
        logo: { $ref: '#/$defs/fieldName' },
        banner: { description: 'A picture that replaces the whole letterhead.', $ref: '#/$defs/fieldName' },
        lines: {
          description: 'Fields of each line.',
          type: 'array',
          minItems: 1,
          items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/fieldName' } },
        },
      },
    },
  },
};

/** The fields of the type of number patterns. */
const SERIES = ['type', 'place', 'pattern', 'company'];

/** The fields of the type of print designs. */
const PRINTS: ('document' | 'company' | 'paper' | 'landscape' | 'blocks')[] = [
  'document',
  'company',
  'paper',
  'landscape',
  'blocks',
];

const TERMS = ['use', 'title', 'text', 'order', 'from', 'to'];

const written = (kind: string, names: string[], more: Record<string, JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  required: [kind],
  additionalProperties: false,
  properties: {
    [kind]: {
      type: 'object',
      required: [...names, ...Object.keys(more)],
      additionalProperties: false,
      properties: { ...Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/fieldName' }])), ...more },
    },
  },
});

const kindOf = (serves: Serves): string => (typeof serves === 'string' ? serves : Object.keys(serves)[0]!);

/** All fields that a letterhead names. */
const lettersOf = (one: Extract<Serves, { company: unknown } | { branch: unknown }>): unknown[] =>
  Object.values('company' in one ? one.company.letterhead : one.branch.letterhead);

export const serves = defineWord<Serves>({
  name: 'serves',
  on: 'screen',
  shape: {
    description: 'The role that the type plays in the product itself.',
    examples: ['account', { member: { account: 'user_id' } }],
    anyOf: [
      { enum: ['account', 'customer', 'item'] },
      {
        type: 'object',
        required: ['member'],
        additionalProperties: false,
        properties: {
          member: {
            type: 'object',
            required: ['account'],
            additionalProperties: false,
            properties: { account: { $ref: '#/$defs/fieldName' } },
          },
        },
      },
      {
        type: 'object',
        required: ['reason'],
        additionalProperties: false,
        properties: {
          reason: {
            type: 'object',
            required: ['use'],
            additionalProperties: false,
            properties: { use: { $ref: '#/$defs/fieldName' }, remark: { $ref: '#/$defs/fieldName' } },
          },
        },
      },
      ...['company', 'branch'].map((kind) => ({
        type: 'object',
        required: [kind],
        additionalProperties: false,
        properties: { [kind]: letterhead },
      })),
      written('series', SERIES),
      written('prints', PRINTS, {
        used: {
          description: 'The field and the value that mark active designs.',
          type: 'object',
          required: ['field', 'is'],
          additionalProperties: false,
          properties: { field: { $ref: '#/$defs/fieldName' }, is: { type: 'string' } },
        },
      }),
      {
        type: 'object',
        required: ['terms'],
        additionalProperties: false,
        properties: {
          terms: {
            type: 'object',
            required: TERMS,
            additionalProperties: false,
            properties: Object.fromEntries([...TERMS, 'chosen'].map((name) => [name, { $ref: '#/$defs/fieldName' }])),
          },
        },
      },
    ],
  },
  check: (check) => {
    const { serves, scope, name } = check.screen;
    if (serves === undefined) return;
    const kind = kindOf(serves);
    for (const { screen } of check.all.drafts.values())
      if (
        screen.name < name &&
        screen.serves !== undefined &&
        (screen.scope === 'platform') === (scope === 'platform') &&
        kindOf(screen.serves) === kind
      )
        check.report(
          ['serves'],
          `"${screen.name}" serves as ${kind} already.`,
          'Take the word out of one of the files.',
        );
    if (typeof serves === 'string') return;
    if ('reason' in serves) {
      for (const [word, types] of [
        ['use', ['tags', 'enum']],
        ['remark', ['boolean']],
      ] as const) {
        const name = serves.reason[word];
        if (name !== undefined && !(types as readonly string[]).includes(check.field(name)?.type ?? ''))
          check.report(
            ['serves', 'reason', word],
            `"${name}" does not say it.`,
            word === 'use' ? 'Name a field of the type tags or enum: what a reason is used for.' : 'Name a yes or no.',
          );
      }
      return;
    }
    if (!('member' in serves)) {
      const written =
        'terms' in serves
          ? Object.values(serves.terms)
          : 'series' in serves
            ? Object.values(serves.series)
            : 'prints' in serves
              ? [...PRINTS.map((one) => serves.prints[one]), serves.prints.used.field]
              : lettersOf(serves);
      for (const name of written.flat(2) as string[])
        if (!check.field(name)) check.unknown(['serves'], name, check.names, `"${kind}"`);
      return;
    }
    const field = check.field(serves.member.account);
    if (!field?.ref)
      check.report(
        ['serves', 'member', 'account'],
        `"${serves.member.account}" refers to no account.`,
        'Name the reference to the type that serves as account.',
      );
  },
  chapter: 'Steps and looks',
  doc: [
    '**`serves`**: a role that the type plays in the product itself. `"account"` is the type of the user accounts;',
    '`"member"` the people of the company, with the reference to their account; `"reason"` the reasons that transitions ask',
    'for, with the field for what a reason is used for and, as `remark`, the field that makes a remark compulsory. A client',
    'has one type for each. Only types that ship with the product use this word.',
  ],
  example: [],
});
