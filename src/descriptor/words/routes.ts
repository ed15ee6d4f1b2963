import { defineWord } from './word.ts';
import type { Screen } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    routes?: { landing?: string; add?: string | null; edit?: string | null; view?: string | null };
  }
  interface ScreenWords {
    routes: { landing: string; add: string | null; edit: string | null; view: string | null };
  }
}

export const routes = defineWord<Partial<Screen['routes']>>({
  name: 'routes',
  on: 'screen',
  shape: {
    description:
      'Addresses of the pages. Default: /<file name>, and below it /add, /edit/:id, /view/:id. null = there is no such page.',
    type: 'object',
    additionalProperties: false,
    examples: [{ landing: '/Uom' }],
    properties: {
      landing: { description: 'Address of the list.', $ref: '#/$defs/address' },
      add: {
        description: 'Address of the empty form; null = records are not added by hand.',
        $ref: '#/$defs/addressOrNull',
      },
      edit: {
        description: 'Address of the form of one record; null = records are not changed by hand.',
        $ref: '#/$defs/addressOrNull',
      },
      view: { description: 'Address for reading one record; null = none.', $ref: '#/$defs/addressOrNull' },
    },
  },
  after: ['kind'],
  compile: (written = {}, { file, screen }) => {
    const landing = written.landing ?? `/${file.name}`;
    if (screen.kind === 'settings') return { routes: { landing, add: null, edit: null, view: null } };
    if (screen.kind === 'view') return { routes: { landing, add: null, edit: null, view: null } };
    return {
      routes: {
        landing,
        add: written.add === undefined ? `${landing}/add` : written.add,
        edit: written.edit === undefined ? `${landing}/edit/:id` : written.edit,
        view: written.view === undefined ? `${landing}/view/:id` : written.view,
      },
    };
  },
  check: (check) => {
    for (const [page, route] of Object.entries(check.screen.routes))
      if (route !== null) check.address(page, route, ['routes', page]);
  },
  chapter: 'Addresses and menu',
  doc: [
    '**`routes`**: the addresses of the pages. Default: `/<type>`, `/<type>/add`, `/<type>/edit/:id`, `/<type>/view/:id`;',
    'if you change `landing`, the others follow it. Capital letters are allowed here. `null` means that the page does not',
    "exist. An address without `:id` takes the record's id as `?id=5`; so `add` and `edit` may share one address, which",
    'adds without an id and edits with one. Parameters of an `add` address are initial values:',
    '`/Orders/new?branch_id=4&supplier=Otis`.',
  ],
  example: [{ part: { routes: { landing: '/Orders', add: '/Orders/new', edit: '/Orders/change/:id', view: null } } }],
});
