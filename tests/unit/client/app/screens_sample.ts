import type { ScreenRef } from '../../../../src/descriptor/types.ts';

/** A screen that the user may do everything with, unless said. */
export function screenSample(
  name: string,
  rights: Partial<ScreenRef['rights']> = {},
  more: Partial<ScreenRef> = {},
): ScreenRef {
  return {
    name,
    title: name,
    plural: `${name}s`,
    kind: 'master',
    hash: `hash-${name}`,
    routes: { landing: `/${name}`, add: `/${name}/add`, edit: `/${name}/edit/:id`, view: `/${name}/view/:id` },
    sameAs: {},
    tree: false,
    rights: {
      landing: true,
      add_screen: true,
      edit_screen: true,
      view_screen: true,
      approval_screen: false,
      transfer_screen: false,
      write: true,
      remove: true,
      import: true,
      export: true,
      ...rights,
    },
    ...more,
  };
}
