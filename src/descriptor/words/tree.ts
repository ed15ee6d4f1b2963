import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /**
     * A hierarchy through a reference to the same type; `closure` maintains <name>_tree(ancestor_id, descendant_id,
     * depth).
     */
    tree?: { parent: string; closure?: boolean };
  }
  interface ScreenWords {
    tree?: { parent: string; closure: boolean };
  }
}

export const tree = defineWord<{ parent: string; closure?: boolean }>({
  name: 'tree',
  on: 'screen',
  shape: {
    description: 'Records form a hierarchy through a reference to their own type.',
    type: 'object',
    required: ['parent'],
    additionalProperties: false,
    examples: [{ parent: 'parent_department_id' }],
    properties: {
      parent: { description: 'The reference to the record above.', $ref: '#/$defs/fieldName' },
      closure: {
        description:
          'true stores all direct and indirect relations in a separate table, for large trees and rights that follow them.',
        type: 'boolean',
      },
    },
  },
  compile: (written) => (written ? { tree: { parent: written.parent, closure: written.closure === true } } : {}),
  check: (check) => {
    const { tree, name } = check.screen;
    if (!tree) return;
    const parent = check.field(tree.parent);
    if (!parent) check.unknown(['tree', 'parent'], tree.parent, check.names, 'the tree');
    else if (parent.ref?.type !== name || parent.type !== 'ref')
      check.report(
        ['tree', 'parent'],
        `"${parent.name}" does not refer to ${name} itself.`,
        `Choose a field with "x-ref": "${name}".`,
      );
  },
  overlay: { needs: (screen, field) => (screen.tree?.parent === field ? 'it says what stands below what' : null) },
  chapter: 'Automatic numbers, trees and hierarchies',
  doc: [
    '**`tree`**: records form a tree through a reference to their own type. The list gets a tree view, and a record can',
    'never be placed below itself. `closure` also stores all indirect relations, for large trees and for rights that depend',
    'on them.',
  ],
  example: [
    {
      name: 'cost_centre',
      part: {
        $schema: '../meta/screen.schema.json',
        kind: 'master',
        title: 'Cost centre',
        access: { screen: 'SCN_COST_CENTRE' },
        schema: {
          required: ['code', 'name'],
          properties: {
            code: { $ref: 'types#code' },
            name: { $ref: 'types#name' },
            parent_id: { $ref: 'types#ref', 'x-ref': 'cost_centre', title: 'Part of' },
          },
        },
        tree: { parent: 'parent_id', closure: true },
      },
    },
  ],
});
