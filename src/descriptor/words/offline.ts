import { didYouMean } from '../source.ts';
import { isProductsOwn } from '../workflow.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** What people may do without a network. */
    offline?: { does: string[] };
  }
  interface ScreenWords {
    /** Acts that wait on the device while there is no network: `create`, `change`, and transitions. */
    offline?: { does: readonly string[] };
  }
}

/** The acts that are no transitions. */
const WRITES = ['create', 'change'];

export const offline = defineWord<{ does: string[] }>({
  name: 'offline',
  on: 'screen',
  after: ['workflow'],
  shape: {
    description: 'What people may do with a record without a network; it waits on their device.',
    type: 'object',
    required: ['does'],
    additionalProperties: false,
    examples: [{ does: ['create', 'change', 'submit'] }],
    properties: {
      does: {
        description: '"create" for new ones, "change" for its fields, and transitions.',
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        uniqueItems: true,
      },
    },
  },
  compile: (written) => (written ? { offline: { does: written.does } } : {}),
  check: (check) => {
    const transitions = check.screen.workflow?.transitions ?? [];
    const names = [...WRITES, ...transitions.map(({ name }) => name)];
    check.screen.offline?.does.forEach((name, index) => {
      const at = ['offline', 'does', index];
      const transition = transitions.find((one) => one.name === name);
      if (!names.includes(name)) check.report(at, `There is no transition "${name}".`, didYouMean(name, names));
      else if (transition && isProductsOwn(transition))
        check.report(at, `"${name}" is the product's own.`, 'Choose another.');
    });
  },
  chapter: 'Steps and looks',
  doc: [
    '**`offline`**: what people may do with records while there is no network: `create` new ones, `change` the fields of one',
    'they have open, and take transitions, with what these ask. Each act waits on their device with its files, also when the',
    'browser is closed, and is sent when the network is back, in order and once; a file goes before the act that names it.',
    'It is decided by the rights and the state at that moment. The time of the device, corrected by how far its clock is off',
    'and at most 72 hours back, stands in the log of transitions, in clocks and in `now()`; the history keeps both. A',
    'transition carries no version; a change carries the old value of each field, so that only what somebody else changed',
    'meanwhile is asked: the person sees both values and chooses. What is refused is kept until its person decides, and',
    'their manager is told. What follows on the same record waits until then.',
  ],
  example: [{ part: { offline: { does: ['change'] } } }],
});
