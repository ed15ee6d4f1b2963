import { checkLevels } from '../levels.ts';
import { defineLook } from './look.ts';

declare module '../../types.ts' {
  interface WrittenLooks {
    /** Records with their children as a tree, and the selected one beside it. */
    tree_preview?: { levels: Record<string, string> };
  }
  interface ScreenLooks {
    tree_preview?: { levels: { type: string; parent: string }[] };
  }
}

export const treePreview = defineLook<'tree_preview'>({
  name: 'tree_preview',
  shape: {
    description:
      'The records as a tree with those of other types below them, and details of the selected one beside it.',
    type: 'object',
    required: ['levels'],
    additionalProperties: false,
    examples: [{ levels: { survey_group: 'survey_type_id', survey_field: 'survey_group_id' } }],
    properties: {
      levels: {
        description: 'Types below this one, from the top; each with its reference to the type before it.',
        type: 'object',
        minProperties: 1,
        maxProperties: 5,
        additionalProperties: { $ref: '#/$defs/fieldName' },
      },
    },
  },
  compile: ({ levels }) => ({
    levels: Object.entries(levels ?? {}).map(([type, parent]) => ({ type, parent })),
  }),
  check: ({ levels }, check) =>
    checkLevels(check, levels, ['looks', 'tree_preview', 'levels'], 'tree', (level, _above, at) => {
      if (level.part || level.kind === 'settings' || level.kind === 'view')
        check.report(at, `"${level.name}" has no list of its own.`, 'Choose another type that refers to it.');
    }),
  needs: () => null,
  doc: [
    '**`tree_preview`**: the records as a tree with the types in `levels` below them, each with its reference to the type',
    'before it, and a preview of the selected record beside the tree: for structured records such as surveys. The children',
    'of a record are loaded when it is opened.',
  ],
});
