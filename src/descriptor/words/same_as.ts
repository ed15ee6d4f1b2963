import { PAGES } from '../check_context.ts';
import { defineWord } from './word.ts';
import type { PageType } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Older addresses of the same screen: they redirect, keeping query and parameters. `import` opens the list's import. */
    sameAs?: Record<string, PageType | 'import'>;
  }
  interface ScreenWords {
    sameAs: Record<string, PageType | 'import'>;
  }
}

export const sameAs = defineWord<Record<string, PageType | 'import'>>({
  name: 'sameAs',
  on: 'screen',
  shape: {
    description: 'Older addresses of this screen and the page they lead to; import opens the import of the list.',
    type: 'object',
    additionalProperties: {
      enum: ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen', 'import'],
    },
    examples: [{ '/lift_make_list': 'landing' }],
  },
  compile: (written = {}) => ({ sameAs: written }),
  check: (check) => {
    const { screen } = check;
    for (const [route, page] of Object.entries(screen.sameAs)) {
      const path = ['sameAs', route];
      if (page !== 'import' && !PAGES.includes(page))
        check.report(path, `"${String(page)}" is not a page.`, `There are: ${[...PAGES, 'import'].join(', ')}.`);
      if (page === 'landing' && screen.kind !== 'settings')
        for (const [, parameter] of route.matchAll(/:(\w+)/g))
          if (!check.field(parameter))
            check.report(
              path,
              `":${parameter}" is not a field.`,
              'Parameters of an address that leads to the list are fields: the list opens filtered by them.',
            );
      check.address(page, route, path);
    }
  },
  chapter: 'Addresses and menu',
  doc: [
    '**`sameAs`**: older addresses that still lead here, and to which page: `landing`, `add_screen`,',
    '`edit_screen`, `view_screen`, `approval_screen` or `transfer_screen`; `import` opens the list with its',
    'import. No address may belong to two screens. Parameters of an address that leads to the list are fields:',
    '`/orders_of/:branch_id` opens the list of that branch (0: of none).',
  ],
  example: [
    {
      part: {
        sameAs: {
          '/purchase_orders': 'landing',
          '/purchase_orders/add': 'add_screen',
          '/orders_upload': 'import',
          '/orders_of/:branch_id': 'landing',
        },
      },
    },
  ],
});
