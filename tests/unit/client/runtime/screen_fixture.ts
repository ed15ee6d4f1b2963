import type { Field, Screen } from '../../../../src/descriptor/types.ts';

export function field(name: string, type: string, more: Partial<Field> = {}): Field {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ').replace(/ id$/, '');
  return { name, type, title, required: false, schema: {}, secret: false, readOnly: false, ...more };
}

/** A list of depots with a field of every filter kind. */
export function depotScreen(more: Partial<Screen> = {}): Screen {
  return {
    name: 'depot',
    folder: 'test',
    kind: 'master',
    title: 'Depot',
    plural: 'Depots',
    description: 'Where stock is kept.',
    access: { screens: [], products: [], modules: [], action: null, everyone: false, common: false },
    scope: 'entity',
    routes: { landing: '/depot', add: '/depot/add', edit: '/depot/edit/:id', view: '/depot/view/:id' },
    sameAs: {},
    schema: {},
    fields: [
      field('code', 'code', { required: true }),
      field('name', 'name', { required: true }),
      field('status', 'enum', {
        options: [
          { value: 'draft', label: 'Draft', colour: 'neutral' },
          { value: 'open', label: 'Open', colour: 'success' },
        ],
      }),
      field('area', 'decimal', { unit: 'sq ft' }),
      field('opened_on', 'date'),
      field('checked_at', 'datetime'),
      field('leased', 'boolean'),
      field('branch_id', 'ref', { ref: { type: 'branch' }, title: 'Branch' }),
      field('tags', 'tags'),
      field('pin', 'text', { secret: true }),
      field('parent_id', 'ref', { ref: { type: 'depot' }, title: 'Part of' }),
    ],
    label: ['name', 'code'],
    unique: [['code']],
    index: [],
    rules: [],
    form: { tabs: [] },
    grid: ['code', 'name', 'status', 'area', 'opened_on'].map((name) => ({
      field: name,
      title: name,
      hidden: false,
      pinned: false,
    })),
    card: ['name', 'status', 'code', 'area'],
    sort: ['name'],
    filters: ['status'],
    actions: [],
    views: [],
    menu: { hidden: false },
    referredBy: [],
    hash: 'h',
    ...more,
  };
}
