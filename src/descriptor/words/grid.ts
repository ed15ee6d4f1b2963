import { humanise } from '../humanise.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { RECORD_TITLES } from '../record_fields.ts';
import { ownFieldName } from '../setting_fields.ts';
import { checkFieldList } from './field_list.ts';
import { defineWord } from './word.ts';
import type { Laying } from './word.ts';
import type { Field, GridColumn, GridColumnSpec, Screen } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    grid?: (string | GridColumnSpec)[];
  }
  interface ScreenWords {
    grid: GridColumn[];
  }
}

function gridColumns(written: (string | GridColumnSpec)[] | undefined, fields: Field[], isView: boolean): GridColumn[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const simple = fields.filter((field) => !field.secret && !field.hidden && fieldType(field.type).can.cell === 'short');
  const specs = (written ?? simple.slice(0, 8).map((field) => field.name)).map((spec) =>
    typeof spec === 'string' ? { field: spec } : spec,
  );
  const columns = specs.map((spec) => ({
    field: spec.field,
    title: spec.title ?? byName.get(spec.field)?.title ?? RECORD_TITLES[spec.field] ?? humanise(spec.field),
    ...(spec.width !== undefined && { width: spec.width }),
    hidden: spec.hidden === true,
    pinned: spec.pinned === true,
  }));
  // Other short fields are available in the column chooser.
  const shown = new Set(columns.map((column) => column.field));
  for (const field of simple)
    if (!shown.has(field.name)) columns.push({ field: field.name, title: field.title, hidden: true, pinned: false });
  // Rows of a view have no author.
  for (const [name, title] of isView ? [] : Object.entries(RECORD_TITLES))
    if (!shown.has(name)) columns.push({ field: name, title, hidden: true, pinned: false });
  return columns;
}

/** The columns as customised by a client: without hidden fields, with the client's names and custom fields. */
function laidColumns({ product, fields, gone, settings, own }: Laying): GridColumn[] {
  const titles = new Map(product.fields.map(({ name, title }) => [name, title]));
  const columns = product.grid
    .filter(({ field }) => !gone.has(field))
    .map((column) => {
      const setting = settings.get(column.field);
      const title = fields.find(({ name }) => name === column.field)?.title;
      return {
        ...column,
        ...(title !== undefined && column.title === titles.get(column.field) && { title }),
        ...(setting?.in_list && { hidden: setting.in_list !== 'shown' }),
      };
    });
  for (const setting of own) {
    const field = fields.find(({ name }) => name === ownFieldName(setting)!)!;
    if (fieldType(field.type).can.cell === 'short')
      columns.push({ field: field.name, title: field.title, hidden: setting.in_list !== 'shown', pinned: false });
  }
  return broughtForward(columns, product);
}

/** The maximum number of columns shown initially: the client's preferred ones follow the two that name the record. */
function broughtForward(columns: GridColumn[], product: Screen): GridColumn[] {
  const before = new Set(product.grid.filter(({ hidden }) => !hidden).map(({ field }) => field));
  const wanted = columns.filter(({ field, hidden }) => !hidden && !before.has(field));
  if (wanted.length === 0) return columns;
  const others = columns.filter((column) => !wanted.includes(column));
  const second = others.filter(({ hidden }) => !hidden)[1];
  const at = second ? others.indexOf(second) + 1 : others.length;
  return [...others.slice(0, at), ...wanted, ...others.slice(at)];
}

export const grid = defineWord<(string | GridColumnSpec)[]>({
  name: 'grid',
  on: 'screen',
  shape: {
    description:
      'Columns of the list, from the left. Default: the first 8 simple fields. The others are in the column chooser.',
    type: 'array',
    minItems: 1,
    examples: [['code', 'name', { field: 'remark', hidden: true }]],
    items: {
      examples: ['code'],
      anyOf: [
        { $ref: '#/$defs/fieldName' },
        {
          type: 'object',
          required: ['field'],
          additionalProperties: false,
          properties: {
            field: { description: 'Field shown in the column.', $ref: '#/$defs/fieldName' },
            title: {
              description: 'Heading of the column. Default: the title of the field.',
              type: 'string',
              minLength: 1,
            },
            width: { description: 'Width in pixels.', type: 'integer', minimum: 40, maximum: 800 },
            hidden: { description: 'Not shown until chosen in the column chooser.', type: 'boolean' },
            pinned: { description: 'Stays at the left when the list is scrolled.', type: 'boolean' },
          },
        },
      ],
    },
  },
  after: ['counts'],
  compile: (written, { fields, screen: { counts, kind } }) => ({
    grid: gridColumns(written, [...fields, ...(counts ?? [])], kind === 'view'),
  }),
  check: (check) =>
    checkFieldList(
      check,
      'grid',
      check.descriptor.grid?.map((column) => (typeof column === 'string' ? column : column.field)),
      check.listNames,
    ),
  overlay: { lay: (laying) => ({ grid: laidColumns(laying) }) },
  chapter: 'The list',
  doc: [
    '**`grid`**: the columns, from the left: a field, or a field with `title`, `width` in pixels, `hidden` (not shown until',
    'chosen) or `pinned` (stays visible when scrolling). Default: the first eight simple fields. Other short fields can be',
    'chosen as columns, and so can `created_at`, `created_by`, `updated_at` and `updated_by`.',
  ],
  example: [
    {
      part: {
        grid: [
          'number',
          { field: 'supplier', title: 'From', width: 220, pinned: true },
          'total',
          { field: 'due_on', hidden: true },
          'updated_at',
        ],
      },
    },
  ],
});
