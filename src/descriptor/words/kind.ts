import { defineWord } from './word.ts';

const KINDS = ['master', 'document', 'settings'];

export const kind = defineWord<'master' | 'document' | 'settings'>({
  name: 'kind',
  on: 'screen',
  shape: {
    description:
      'master: a list kept by hand. document: something that happens, such as an order. settings: one record for all.',
    enum: ['master', 'document', 'settings'],
  },
  inspect: (written, source) => {
    if (written !== undefined && !KINDS.includes(written as string))
      source.report(['kind'], `Kind "${String(written)}" does not exist.`, `There are: ${KINDS.join(', ')}.`);
  },
  compile: (written = 'master') => ({ kind: written }),
  chapter: 'What it is',
  doc: [
    '**`kind`**: `master` (default) is a list kept by hand, such as branches. `document` is something that',
    'happens, such as an order. `settings` is a single record: the page opens its form at once. `report` shows',
    'figures over records and has words of its own: [Reports](#reports).',
  ],
  example: [
    {
      part: {
        kind: 'settings',
        title: 'Order settings',
        plural: 'Order settings',
        description: 'How orders are numbered and approved.',
        icon: 'Settings',
      },
    },
  ],
});
