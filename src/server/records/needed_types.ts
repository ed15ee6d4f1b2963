import type { Screen } from '../../descriptor/types.ts';
import { once } from './sql_text.ts';

/**
 * The type and all that its names and counts are read from, so that their tables can be made before the type is used:
 * lists of references have no key that would bring their tables along.
 */
export function neededTypes(screens: ReadonlyMap<string, Screen>, screen: Screen): string[] {
  return once(screens, screen, 'needed', () => {
    const referred = screen.fields
      .flatMap((field) => [field, ...(field.rows ?? [])])
      .flatMap((field) => (field.ref ? [field.ref.type] : []));
    return [screen.name, ...new Set([...referred, ...(screen.counts ?? []).map(({ count }) => count!.of)])].filter(
      (type) => screens.has(type) && (screens.get(type)!.scope === 'platform') === (screen.scope === 'platform'),
    );
  });
}
