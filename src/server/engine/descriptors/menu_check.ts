import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Source, didYouMean } from '../../../descriptor/source.ts';
import type { Problem, Screen } from '../../../descriptor/types.ts';
import type { Report } from '../../../domain/report.ts';

interface MenuItem {
  code: string;
  name?: string;
  route?: string;
  product_codes?: string[];
  module_flags?: string[];
  screen_flags?: string[];
  children?: MenuItem[];
}

/**
 * Checks menu.json against its meta-schema and against the descriptors: codes unique, flags that agree
 * with the access of the screen at the route, groups that `menu.under` names, a name for each entry.
 */
export async function menuProblems(
  schemasDir: string,
  screens: Map<string, Screen>,
  figures: readonly Pick<Report, 'folder' | 'name' | 'menu' | 'route'>[] = [],
): Promise<Problem[]> {
  const file = join(schemasDir, 'menu.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return [];
  const source = new Source(file, text);
  if (source.problems.length > 0) return source.problems;
  const menu = JSON.parse(text) as { items?: MenuItem[] };
  const meta = await readFile(join(schemasDir, 'meta', 'menu.schema.json'), 'utf8').catch(() => null);
  if (meta !== null) {
    const validate = new Ajv2020({ strict: false, allErrors: false }).compile(JSON.parse(meta) as object);
    if (!validate(menu))
      for (const error of validate.errors ?? [])
        source.report(
          error.instancePath
            .split('/')
            .slice(1)
            .map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
          `${error.message ?? 'is not right'}.`,
        );
  }
  const byRoute = new Map([...screens.values()].map((screen) => [screen.routes.landing, screen]));
  // What is served without a list: a figure that its own file hides, and a coded page without a place in the menu.
  const nameless = new Set<string | undefined>([
    ...figures.filter(({ menu: { hidden } }) => hidden).map(({ route }) => route),
    ...(await codedPages(schemasDir)),
  ]);
  const codes = new Set<string>();
  const walk = (items: MenuItem[], path: (string | number)[]) => {
    items.forEach((item, index) => {
      const at = [...path, index];
      if (codes.has(item.code))
        source.report(
          [...at, 'code'],
          `The code "${item.code}" is listed twice.`,
          'Codes identify an entry permanently: give this one its own.',
        );
      codes.add(item.code);
      const address = item.route?.split(/[?#]/)[0];
      if (item.name === undefined && nameless.has(address))
        source.report([...at], `The entry "${item.code}" has no name.`, 'Add "name": the text that the menu shows.');
      const screen = address === undefined ? undefined : byRoute.get(address);
      if (screen) checkFlags(item, screen, source, at);
      walk(item.children ?? [], [...at, 'children']);
    });
  };
  walk(menu.items ?? [], ['items']);
  const misplaced = [...screens.values(), ...figures].filter(
    ({ menu: { under } }) => under !== undefined && !codes.has(under),
  );
  const own = misplaced.map(async ({ folder, name, menu: { under = '' } }) => {
    const path = join(schemasDir, folder, `${name}.json`);
    const descriptor = new Source(path, await readFile(path, 'utf8').catch(() => '{}'));
    descriptor.report(['menu', 'under'], `There is no menu group "${under}".`, didYouMean(under, codes));
    return descriptor.problems;
  });
  return [...source.problems, ...(await Promise.all(own)).flat()];
}

/** The addresses of pages.json that give a menu entry no name. */
async function codedPages(schemasDir: string): Promise<string[]> {
  const text = await readFile(join(schemasDir, 'pages.json'), 'utf8').catch(() => null);
  if (text === null) return [];
  const { pages = {} } = JSON.parse(text) as { pages?: Record<string, { menu?: object }> };
  return Object.entries(pages).flatMap(([route, { menu }]) => (menu === undefined ? [route] : []));
}

/** Flags on an entry must equal those of its screen, so that they cannot diverge. */
function checkFlags(item: MenuItem, screen: Screen, source: Source, at: (string | number)[]): void {
  const pairs: [keyof MenuItem, string[] | undefined, string[]][] = [
    ['product_codes', item.product_codes, screen.access.products],
    ['module_flags', item.module_flags, screen.access.modules],
    ['screen_flags', item.screen_flags, screen.access.screens],
  ];
  for (const [word, stated, own] of pairs)
    if (stated && (stated.length !== own.length || stated.some((code) => !own.includes(code))))
      source.report(
        [...at, word],
        `"${word}" says ${stated.join(', ') || 'none'}, but the access of ${screen.name} says ${own.join(', ') || 'none'}.`,
        'Leave it out here: it is taken from the descriptor.',
      );
}
