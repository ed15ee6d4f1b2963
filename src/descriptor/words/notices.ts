import { PEOPLE } from '../check_context.ts';
import { didYouMean } from '../source.ts';
import type { FilterExpression } from '../types.ts';
import { defineWord } from './word.ts';

/** Events of a type about which rules of Mail configuration notify people. */
export interface Notices {
  /** The heading of its events in the rules. */
  module: string;
  /** References to a user or an employee, by their relation to the record. */
  people: Readonly<Record<string, string>>;
  /** By event of the rules: `created`, transitions, and events of clocks (`resolution_breach`). */
  events: Readonly<Record<string, readonly string[]>>;
  /** For these records, messages are sent at once, at night too. */
  urgent?: FilterExpression;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Events about which rules of Mail configuration notify people. */
    notices?: Notices;
  }
  interface ScreenWords {
    notices?: Notices;
  }
}

const EVENTS = [
  'created',
  'assigned',
  'band',
  'breach',
  'returned',
  'approved',
  'rejected',
  'closed',
  'reopened',
  'missed',
];

export const notices = defineWord<Notices>({
  name: 'notices',
  on: 'screen',
  after: ['workflow', 'clocks'],
  shape: {
    description: 'Events about which rules of Mail configuration notify people.',
    type: 'object',
    required: ['module', 'people', 'events'],
    additionalProperties: false,
    examples: [{ module: 'ticket', people: { assignee: 'assignee_id' }, events: { created: ['created'] } }],
    properties: {
      module: { description: 'Where the rules list them.', type: 'string', minLength: 1, maxLength: 40 },
      people: {
        description: 'References to a user or an employee, by their relation to the record.',
        type: 'object',
        minProperties: 1,
        propertyNames: { enum: ['assignee', 'requester', 'owner', 'approver'] },
        additionalProperties: { type: 'string' },
      },
      events: {
        description:
          'For each event of the rules, its triggers: created, transitions, and events of clocks; none: a job of the module records it.',
        type: 'object',
        minProperties: 1,
        propertyNames: { enum: EVENTS },
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      urgent: {
        description: 'Filter: for these records, messages are sent at once, at night too.',
        type: 'array',
        minItems: 1,
        examples: [['priority', 'eq', 'p1']],
      },
    },
  },
  check: (check) => {
    const { notices: written, workflow, clocks = [] } = check.screen;
    if (!written) return;
    for (const [part, name] of Object.entries(written.people)) {
      const field = check.field(name);
      if (name !== 'created_by' && !(field?.type === 'ref' && PEOPLE.has(field.ref?.type ?? '')))
        check.report(
          ['notices', 'people', part],
          `"${name}" names nobody: it refers to no user and no employee.`,
          'Choose a field with "x-ref": "employee" or "users", or created_by.',
        );
    }
    const known = ['created', ...(workflow?.transitions.map(({ name }) => name) ?? [])];
    for (const [event, names] of Object.entries(written.events))
      names.forEach((name, at) => {
        if (known.includes(name) || clocks.some((clock) => name.startsWith(`${clock.name}_`))) return;
        check.report(['notices', 'events', event, at], `Nothing is called "${name}".`, didYouMean(name, known));
      });
    check.filter(written.urgent, check.screen, ['notices', 'urgent'], 'Write for instance ["priority", "eq", "p1"].');
  },
  overlay: {
    needs: ({ notices: written }, field) =>
      written && Object.values(written.people).includes(field) ? 'messages go to whom it names' : null,
  },
  chapter: 'Due dates and notices',
  doc: [
    '**`notices`**: events of the record about which rules of Mail configuration notify people. `events` maps each event of',
    'the rules to what triggers it: `created`, transitions, and events of clocks (`resolution_breach`). `people` is as in',
    '`due`. An event without triggers is recorded by a job of the module. A rule that waits for office hours sends the notice when the branch next opens; records that match `urgent` are',
    'notified at once. For each trigger, the module needs the subscriber `notice`, which records the notices.',
  ],
  example: [
    {
      part: {
        workflow: {
          field: 'stage',
          states: { asked: {}, ordered: {}, received: { is: 'closed' } },
          transitions: { order: { from: ['asked'], to: 'ordered' }, receive: { from: ['ordered'], to: 'received' } },
        },
        notices: {
          module: 'document',
          people: { requester: 'created_by' },
          events: { created: ['created'], closed: ['receive'] },
        },
      },
    },
  ],
});
