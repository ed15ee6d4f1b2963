import type { Kind } from '../types.ts';
import { defineWord } from './word.ts';

const KINDS = ['master', 'document', 'settings', 'view'];

export const kind = defineWord<Kind>({
  name: 'kind',
  on: 'screen',
  shape: {
    description:
      'master: a list maintained by hand. document: a business event, such as an order. settings: one record for all. view: a list derived from other records.',
    enum: ['master', 'document', 'settings', 'view'],
  },
  inspect: (written, source) => {
    if (written !== undefined && !KINDS.includes(written as string))
      source.report(['kind'], `Kind "${String(written)}" does not exist.`, `There are: ${KINDS.join(', ')}.`);
  },
  compile: (written = 'master') => ({ kind: written }),
  chapter: 'What it is',
  doc: [
    '**`kind`**: `master` (default) is a list maintained by hand, such as branches. `document` is a business event, such as',
    'an order. `settings` is a single record: the page opens its form at once. `view` is a list derived from other records:',
    '[Views](#views). `report` shows figures computed from records and has its own words: [Reports](#reports). `dashboard`',
    'is a page of figures, charts and lists: [Dashboards](#dashboards).',
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
