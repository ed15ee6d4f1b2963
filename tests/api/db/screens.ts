import type { Field, Screen } from '../../../src/descriptor/types.ts';

/** A field for storage tests. */
export function field(name: string, type: string, more: Partial<Field> = {}): Field {
  return { name, type, title: name, required: false, schema: {}, secret: false, readOnly: false, ...more };
}

/** A screen with nothing but what storage looks at. */
export function screen(name: string, fields: Field[], more: Partial<Screen> = {}): Screen {
  return {
    name,
    folder: 'test',
    kind: 'master',
    title: name,
    plural: `${name}s`,
    access: { screens: ['SCN_TEST'], products: [], modules: ['MASTERS'], action: null, everyone: false, common: false },
    scope: 'tenant',
    routes: { landing: `/${name}`, add: null, edit: null, view: null },
    sameAs: {},
    schema: {},
    fields,
    label: ['name'],
    unique: [['code']],
    index: [],
    rules: [],
    form: { tabs: [] },
    grid: [],
    card: [],
    sort: ['name'],
    filters: [],
    views: [],
    actions: [],
    menu: { hidden: false },
    referredBy: [],
    hash: name,
    ...more,
  };
}

export function screenMap(...screens: Screen[]): Map<string, Screen> {
  return new Map(screens.map((one) => [one.name, one]));
}

export const codeAndName = (): Field[] => [
  field('code', 'code', { required: true }),
  field('name', 'name', { required: true }),
];
