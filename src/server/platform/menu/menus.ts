import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Menu, MenuFile } from './menu.ts';
import { buildMenu } from './menu.ts';

/** The menu of the current screens and pages; computed once per state. */
export function createMenus(store: ScreenStore, schemasDir: string): () => Menu {
  let made: { pages: object; menu: Menu } | null = null;
  return () => {
    const pages = store.pages();
    if (made?.pages !== pages) made = { pages, menu: buildMenu(readMenuFile(schemasDir), store.screens(), pages) };
    return made.menu;
  };
}

function readMenuFile(schemasDir: string): MenuFile {
  const path = join(schemasDir, 'menu.json');
  if (!existsSync(path)) return { items: [] };
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as Partial<MenuFile>;
    return {
      items: Array.isArray(file.items) ? file.items : [],
      my_zone: Array.isArray(file.my_zone) ? file.my_zone : [],
    };
  } catch {
    // The finding is among the problems of the last check; every screen remains reachable.
    return { items: [] };
  }
}
