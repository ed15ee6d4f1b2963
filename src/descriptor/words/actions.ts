import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { RecordAction } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** What can be done to a record beyond editing it: in the list's row menu and on the record's page. */
    actions?: RecordAction[];
  }
  interface ScreenWords {
    actions: RecordAction[];
  }
}

export const actions = defineWord<RecordAction[]>({
  name: 'actions',
  on: 'screen',
  shape: {
    description:
      "What can be done to a record beyond editing it: in the row menu of the list and on the record's page.",
    type: 'array',
    examples: [[{ title: 'Screen rights', to: '/screen_rights/:id' }]],
    items: {
      examples: [{ title: 'Screen rights', to: '/screen_rights/:id' }],
      type: 'object',
      required: ['title'],
      additionalProperties: false,
      oneOf: [{ required: ['to'] }, { required: ['call'] }],
      properties: {
        title: { description: 'Words of the entry.', type: 'string', minLength: 1, maxLength: 60 },
        icon: {
          description: 'Fluent icon name without size and style.',
          type: 'string',
          pattern: '^[A-Z][A-Za-z0-9]+$',
        },
        to: { description: 'Address that it opens; ":id" is the record\'s.', type: 'string', pattern: '^/' },
        call: {
          description: 'Name of a call of the record: POST /tapi/<type>/<id>/<call>.',
          type: 'string',
          pattern: '^[a-z][a-z0-9_]*$',
        },
        when: { description: 'Offered only if this expression holds.', type: 'string' },
        confirm: { description: 'Asked before the call.', type: 'string' },
        ask: {
          description: "What the person must write before the call: its name in the call's body, and the question.",
          type: 'object',
          minProperties: 1,
          maxProperties: 1,
          propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
          additionalProperties: { type: 'string', minLength: 1 },
        },
        list: {
          description: 'Of the whole list, not of a record: opens the address, or POST /tapi/<type>/<call>.',
          type: 'boolean',
        },
        bulk: {
          description: 'Offered for several records of the list as well: POST /tapi/<type>/bulk/<call> with their ids.',
          type: 'boolean',
        },
        who: {
          description:
            'Offered to those alone who stand in one of these relations to the record, and to their deputies.',
          type: 'array',
          minItems: 1,
          items: { type: 'string' },
        },
        done: { description: 'Said when it is done.', type: 'string' },
        page: {
          description: 'The page right that is needed. Default: edit_screen for a call, view_screen for an address.',
          enum: ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'],
        },
      },
    },
  },
  compile: (written = []) => ({ actions: written }),
  check: (check) => {
    const { actions } = check.screen;
    const titles = actions.map(({ title }) => title);
    const relations = Object.keys(check.screen.relations ?? {});
    actions.forEach(({ title, when, who }, index) => {
      const at: Path = ['actions', index];
      if (titles.indexOf(title) < index)
        check.report([...at, 'title'], `Two actions are called "${title}".`, 'Give each action its own words.');
      for (const name of who ?? [])
        if (!relations.includes(name))
          check.report([...at, 'who'], `There is no relation "${name}".`, didYouMean(name, relations));
      if (when !== undefined) check.expression(when, [...at, 'when'], 'condition');
    });
  },
  overlay: {
    lay: ({ product, speaksOf }) => ({ actions: product.actions.filter((action) => !speaksOf(action.when)) }),
  },
  chapter: 'The list',
  doc: [
    '**`actions`**: what can be done to a record beyond editing it, in the "…" of its row and on its page. `to`',
    "opens an address, in which `:id` is the record's; `call` calls the server (`POST /tapi/<type>/<id>/<call>`,",
    'which somebody has programmed). `when` is an [expression](#expressions): the entry is offered only if it',
    'holds. `confirm` is asked before, `done` is said after. `ask` has the person write something first, which',
    'the call is sent under that name. With `bulk` a call is offered for several records too. With `list` the entry stands in the list\'s own "…" and opens its address',
    'or calls `POST /tapi/<type>/<call>`. `who` names [relations](#steps-and-boards): the entry is offered to those people and',
    'their deputies alone; the call itself decides again. If the call answers with `once` (see [the HTTP interface](http.md)),',
    'such as a new key, that is shown to be copied.',
  ],
  example: [
    {
      part: {
        actions: [
          { title: "Supplier's page", icon: 'Building', to: '/supplier_page/:id' },
          {
            title: 'Send again',
            icon: 'Mail',
            call: 'send',
            when: "status == 'ordered'",
            confirm: 'The supplier gets the order once more.',
            done: 'The order is on its way.',
          },
          { title: 'Give back', call: 'give_back', ask: { reason: 'Why does it go back?' } },
          { title: 'Remind all suppliers', call: 'remind_all', list: true, done: 'They are reminded.' },
        ],
      },
    },
  ],
});
