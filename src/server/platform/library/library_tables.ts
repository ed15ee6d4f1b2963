import type { Screen } from '../../../descriptor/types.ts';

/** Types whose tables must exist before library rows can be copied: the client's own, and the platform's. */
export function libraryTables(
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
): { own: string[]; platform: string[] } {
  // The libraries that fill its references are included.
  const own = [
    screen.name,
    ...screen.fields
      .flatMap((field) => [field, ...(field.rows ?? [])])
      .flatMap(({ ref }) => (ref && screens.get(ref.type)?.library ? [ref.type] : [])),
  ];
  const libraries = own.flatMap((type) => screens.get(type)?.library?.from ?? []);
  const platform = [
    ...libraries,
    ...libraries.flatMap((type) => screens.get(type)?.fields.flatMap(({ ref }) => ref?.type ?? []) ?? []),
    'client_account',
    'industry',
  ];
  return {
    own: [...new Set(own)],
    platform: [...new Set(platform)].filter((type) => screens.get(type)?.scope === 'platform'),
  };
}
