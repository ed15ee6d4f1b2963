import { cardFields, defineLook, shownField } from './look.ts';

declare module '../../types.ts' {
  interface WrittenLooks {
    /** One record at a time, with its next transition as a page. */
    steps?: { card?: string[] };
  }
  interface ScreenLooks {
    steps?: { card: string[] };
  }
}

export const steps = defineLook<'steps'>({
  name: 'steps',
  shape: {
    description: 'One record at a time, with its next transition as a separate page: for work on a phone.',
    type: 'object',
    additionalProperties: false,
    examples: [{ card: ['customer_name', 'planned_on'] }],
    properties: {
      card: {
        description: 'Fields shown about the record, below its name. Default: the fields of "card".',
        $ref: '#/$defs/fieldNames',
      },
    },
  },
  compile: ({ card }, compiling) => ({ card: cardFields(card, compiling, []) }),
  check: ({ card }, check) => {
    const path = ['looks', 'steps'];
    if (!check.screen.workflow)
      check.report(path, 'Records without a workflow have no steps.', 'Write "workflow", or leave this look out.');
    card.forEach((name, at) => shownField(check, [...path, 'card', at], name));
  },
  needs: () => null,
  lay: ({ card }, { kept }) => ({ card: kept(card) }),
  doc: [
    '**`steps`**: the open records one at a time, for work on a phone: the next transition of each is a page of its own',
    'with the fields it asks for, followed by the next transition. `card` names the fields shown about the record. Records',
    'that are closed or cancelled are not included.',
  ],
});
