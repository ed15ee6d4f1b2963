import { defineWord } from './word.ts';
import type { Serves } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** What the engine needs the type for. */
    serves?: Serves;
  }
  interface ScreenWords {
    serves?: Serves;
  }
}

export const serves = defineWord<Serves>({
  name: 'serves',
  on: 'screen',
  shape: {
    description: 'What the product itself needs the type for.',
    examples: ['account', { member: { account: 'user_id' } }],
    anyOf: [
      { enum: ['account'] },
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
    ],
  },
  check: (check) => {
    const { serves, scope, name } = check.screen;
    if (serves === undefined) return;
    const kind = typeof serves === 'string' ? serves : 'member';
    for (const { screen } of check.all.drafts.values())
      if (
        screen.name < name &&
        screen.serves !== undefined &&
        (screen.scope === 'platform') === (scope === 'platform') &&
        (typeof screen.serves === 'string' ? screen.serves : 'member') === kind
      )
        check.report(
          ['serves'],
          `"${screen.name}" serves as ${kind} already.`,
          'Take the word out of one of the files.',
        );
    if (typeof serves === 'string') return;
    const field = check.field(serves.member.account);
    if (!field?.ref)
      check.report(
        ['serves', 'member', 'account'],
        `"${serves.member.account}" refers to no account.`,
        'Name the reference to the type that serves as account.',
      );
  },
  chapter: 'Steps and boards',
  doc: [
    '**`serves`**: what the product itself needs a type for. `"account"` is the type of those who sign in; `"member"` the',
    'people of the company, with the reference to the account that is theirs. A client has one of each. Only the',
    "product's own types say it.",
  ],
  example: [],
});
