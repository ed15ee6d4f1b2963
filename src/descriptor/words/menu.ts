import { defineWord } from './word.ts';

interface MenuPlace {
  under?: string;
  order?: number;
  name?: string;
  hidden?: boolean;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Menu place when menu.json does not list the route: the code of a group there. */
    menu?: MenuPlace;
  }
  interface ScreenWords {
    menu: MenuPlace & { hidden: boolean };
  }
}

export const menu = defineWord<MenuPlace>({
  name: 'menu',
  on: 'screen',
  shape: {
    description: 'Place in the menu when schemas/menu.json does not list the address.',
    type: 'object',
    additionalProperties: false,
    examples: [{ under: 'home.masters', order: 20 }],
    properties: {
      under: {
        description: 'Code of a group of schemas/menu.json.',
        type: 'string',
        pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*$',
      },
      order: { description: 'Lower numbers come first.', type: 'number' },
      name: { description: 'Default: the plural.', type: 'string', minLength: 1 },
      hidden: { description: 'true: not in the menu.', type: 'boolean' },
    },
  },
  compile: (written) => ({ menu: { ...written, hidden: written?.hidden === true } }),
  chapter: 'Addresses and menu',
  doc: [
    '**`menu`**: the menu is defined in `schemas/menu.json`. For a screen that is not listed there, give the code of the',
    'group it belongs `under`, its `order` in the group, another `name`, or `hidden`.',
  ],
  example: [{ part: { menu: { under: 'home', order: 20, name: 'Purchase orders', hidden: false } } }],
});
