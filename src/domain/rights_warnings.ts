import type { PageType } from '../descriptor/types.ts';

type Ticks = { screen_code: string; landing: boolean } & Partial<Record<PageType, boolean>>;

/** The properties of a screen. */
interface KnownScreen {
  name: string;
  modules: string[];
  has: PageType[];
}

/**
 * Ticks that have no effect, one sentence per screen; they never prevent saving.
 * @param moduleName the title of a module
 */
export function rightsWarnings(
  modules: readonly { module_code: string; active: boolean; hide_all: boolean }[],
  rights: readonly Ticks[],
  screens: ReadonlyMap<string, KnownScreen>,
  moduleName: (code: string) => string,
): string[] {
  const open = new Set(
    modules.filter((module) => module.active && !module.hide_all).map((module) => module.module_code),
  );
  return rights.flatMap((right) => {
    const screen = screens.get(right.screen_code);
    const name = screen?.name ?? right.screen_code;
    const ticked = (screen?.has ?? []).some((page) => right[page]);
    if (!right.landing && ticked && screen?.has.includes('landing'))
      return [`${name}: without "List" it cannot be reached by the menu.`];
    if (ticked && screen && screen.modules.length > 0 && !screen.modules.some((module) => open.has(module)))
      return [`${name}: its module ${screen.modules.map(moduleName).join(' or ')} is not open in this role.`];
    return [];
  });
}
