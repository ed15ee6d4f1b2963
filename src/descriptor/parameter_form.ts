import { objectSchema } from './fields.ts';
import type { Field, Screen } from './types.ts';

/** Parameters of a report or an action as a form, for form validation and widgets. */
export function parameterForm(
  of: Pick<Screen, 'name' | 'folder' | 'title' | 'access'>,
  fields: Field[],
  { landing, menu }: { landing: string; menu: Screen['menu'] },
): Screen {
  const { name, folder, title, access } = of;
  return {
    name,
    folder,
    title,
    plural: title,
    kind: 'settings',
    access,
    scope: 'tenant',
    menu,
    routes: { landing, add: null, edit: null, view: null },
    sameAs: {},
    schema: objectSchema(fields, false),
    fields,
    label: [],
    unique: [],
    index: [],
    rules: [],
    form: { tabs: [] },
    grid: [],
    card: [],
    sort: [],
    filters: [],
    views: [],
    actions: [],
    referredBy: [],
    hash: '',
  };
}
