import { checkLevels } from './levels.ts';
import { defineWord } from './word.ts';

interface WrittenHierarchy {
  route: string;
  title: string;
  levels: Record<string, string>;
}

declare module '../types.ts' {
  interface WrittenWords {
    /**
     * A page that shows records of this type with those of other types below them: type → its reference to the type
     * before it.
     */
    hierarchy?: WrittenHierarchy;
  }
  interface ScreenWords {
    /** The types below this one, from the top. */
    hierarchy?: { route: string; title: string; levels: { type: string; parent: string }[] };
  }
}

export const hierarchy = defineWord<WrittenHierarchy>({
  name: 'hierarchy',
  on: 'screen',
  shape: {
    description: 'A page that shows records of this type with records of other types below them, as one tree.',
    type: 'object',
    required: ['route', 'title', 'levels'],
    additionalProperties: false,
    examples: [{ route: '/warehouse', title: 'Warehouse', levels: { rack: 'store_id', bin: 'rack_id' } }],
    properties: {
      route: { description: 'Address of the page.', $ref: '#/$defs/address' },
      title: {
        description: 'Heading of the page and its name in the menu.',
        type: 'string',
        minLength: 1,
        maxLength: 60,
      },
      levels: {
        description: 'Types below this one, from the top; each with its reference to the type before it.',
        type: 'object',
        minProperties: 1,
        maxProperties: 15,
        additionalProperties: { $ref: '#/$defs/fieldName' },
      },
    },
  },
  compile: (written) =>
    written
      ? {
          hierarchy: {
            ...written,
            levels: Object.entries(written.levels).map(([type, parent]) => ({ type, parent })),
          },
        }
      : {},
  // Each type must refer to the one before it.
  check: (check) => {
    const { screen } = check;
    if (!screen.hierarchy) return;
    check.address('hierarchy', screen.hierarchy.route, ['hierarchy', 'route']);
    checkLevels(check, screen.hierarchy.levels, ['hierarchy', 'levels'], 'hierarchy', (level, above, at) => {
      if (
        level === screen ||
        level.kind === 'settings' ||
        (level.scope === 'platform') !== (screen.scope === 'platform')
      )
        check.report(at, `"${level.name}" cannot stand below ${above.name}.`, 'Choose another type that refers to it.');
    });
  },
  chapter: 'Automatic numbers, trees and hierarchies',
  doc: [
    '**`hierarchy`**: a separate page that shows records of this type and, below them, records of other types as one tree:',
    'sites, the stores in them, the bins in those. `levels` are the types below this one, from the top, each with its',
    'reference to the type before it. The page has an address (`route`) and a `title`, which is its name in the menu. On',
    'the page, records can be opened, added below others and dragged to others, subject to the rights of their own types.',
  ],
  example: [
    {
      name: 'site_mstr',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Site',
        access: { screen: 'SCN_FMS_WAREHOUSE' },
        scope: 'entity',
        schema: {
          required: ['code', 'name'],
          properties: { code: { $ref: 'types#code' }, name: { $ref: 'types#name' } },
        },
        hierarchy: {
          route: '/warehouse_mstr',
          title: 'Warehouse',
          levels: { storage_location: 'site_id', stock_point: 'storage_location_id' },
        },
      },
    },
  ],
});
