import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScreens } from '../../../../src/server/engine/descriptors/load.ts';
import { menuProblems } from '../../../../src/server/engine/descriptors/menu_check.ts';
import type { Problem } from '../../../../src/descriptor/types.ts';
import { product } from '../product.ts';

const root = join(import.meta.dirname, '../../../..');
let schemas: string;

beforeAll(() => {
  schemas = mkdtempSync(join(tmpdir(), 'mainstay-menu-'));
  cpSync(join(root, 'schemas/meta'), join(schemas, 'meta'), { recursive: true });
  cpSync(join(root, 'schemas/types.json'), join(schemas, 'types.json'));
  mkdirSync(join(schemas, 'test'));
});
afterAll(() => rmSync(schemas, { recursive: true, force: true }));

const thing = (more: object = {}) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'master',
  title: 'Thing',
  access: { screen: 'SCN_THING', product: 'FMS' },
  schema: { properties: { name: { $ref: 'types#name' } } },
  ...more,
});

/** What is found of this menu beside the one screen, thing. */
async function found(menu: unknown, descriptor: object = thing()): Promise<Problem[]> {
  writeFileSync(join(schemas, 'menu.json'), typeof menu === 'string' ? menu : JSON.stringify(menu, null, 2));
  writeFileSync(join(schemas, 'test/thing.json'), JSON.stringify(descriptor, null, 2));
  const { screens, problems } = await loadScreens(schemas);
  expect(problems).toEqual([]);
  return menuProblems(schemas, screens);
}
const menu = (...items: object[]) => ({ $schema: 'meta/menu.schema.json', items });
const entry = (more: object = {}) => ({ code: 'home.thing', name: 'Things', route: '/thing', icon: 'Box', ...more });

interface Entry {
  code: string;
  route?: string;
  children?: Entry[];
}
/** The codes of the entries that lead somewhere, in their order. */
const entriesOf = (entries: Entry[]): string[] =>
  entries.flatMap(({ code, route, children = [] }) => [...(route === undefined ? [] : [code]), ...entriesOf(children)]);

describe('the menu', () => {
  it('of the product is valid', async () => {
    const { screens, reports, dashboards } = await product;
    const figures = [...reports.values(), ...dashboards.values()];
    expect(await menuProblems(join(root, 'schemas'), screens, figures)).toEqual([]);
  });

  it('of the phone offers each entry of field service outside its masters', async () => {
    const { screens } = await product;
    const offered = screens
      .get('menu_access_mstr')!
      .fields.find(({ name }) => name === 'entries')!
      .rows!.find(({ name }) => name === 'menu_code')!;
    const file = JSON.parse(readFileSync(join(root, 'schemas/menu.json'), 'utf8')) as { items: Entry[] };
    const codes = entriesOf(file.items).filter(
      (code) => !/^fms\.(masters|job_history|inspection\.tis_survey)/.test(code),
    );
    expect(offered.options!.map(({ value }) => value)).toEqual(codes.filter((code) => code.startsWith('fms.')));
  });

  it('is accepted if it is valid, or missing', async () => {
    expect(await found(menu(entry()))).toEqual([]);
    expect(
      await found(menu(entry({ product_codes: ['FMS'], module_flags: ['MASTERS'], screen_flags: ['SCN_THING'] }))),
    ).toEqual([]);
    rmSync(join(schemas, 'menu.json'));
    const { screens } = await loadScreens(schemas);
    expect(await menuProblems(schemas, screens)).toEqual([]);
  });

  it('is refused if it is not JSON', async () => {
    expect(await found('{\n  "items": [\n}')).toMatchObject([
      { file: join(schemas, 'menu.json'), line: 3, path: '$', message: expect.stringContaining('not JSON') as string },
    ]);
  });

  it('is refused if it has the wrong structure', async () => {
    expect(await found(menu(entry({ name: 5 })))).toMatchObject([{ line: 6, path: '$.items[0].name' }]);
  });

  it('is refused if a code occurs twice, at any depth', async () => {
    const problems = await found(
      menu(entry(), { code: 'more', name: 'More', icon: 'Box', children: [entry({ route: '/other' })] }),
    );
    expect(problems).toMatchObject([
      {
        path: '$.items[1].children[0].code',
        message: 'The code "home.thing" is listed twice.',
        hint: expect.stringContaining('its own') as string,
      },
    ]);
    expect(readFileSync(join(schemas, 'menu.json'), 'utf8').split('\n')[problems[0]!.line - 1]).toContain(
      '"home.thing"',
    );
  });

  it('is refused if an entry has no name, and the page at its address has none either', async () => {
    writeFileSync(
      join(schemas, 'pages.json'),
      JSON.stringify({ pages: { '/coded': { by: 'shell', open: 'everyone' } } }),
    );
    expect(await found(menu(entry({ name: undefined, route: '/coded' })))).toMatchObject([
      { path: '$.items[0]', message: 'The entry "home.thing" has no name.' },
    ]);
    expect(await found(menu(entry({ name: undefined, route: '/thing?view=tree' })))).toEqual([]);
    rmSync(join(schemas, 'pages.json'));
  });

  it('is refused if its flags differ from the screen’s', async () => {
    const problems = await found(
      menu(
        entry({
          route: '/thing?view=tree',
          product_codes: ['TKT'],
          module_flags: ['MASTERS', 'FMS'],
          screen_flags: ['SCN_OTHER'],
        }),
      ),
    );
    expect(problems.map(({ path }) => path)).toEqual([
      '$.items[0].product_codes',
      '$.items[0].module_flags',
      '$.items[0].screen_flags',
    ]);
    expect(problems[0]).toMatchObject({
      message: '"product_codes" says TKT, but the access of thing says FMS.',
      hint: expect.stringContaining('taken from the descriptor') as string,
    });
  });

  it('must have the group that a descriptor names', async () => {
    const problems = await found(menu(entry()), thing({ menu: { under: 'hom.thing' } }));
    expect(problems).toMatchObject([
      {
        file: join(schemas, 'test/thing.json'),
        path: '$.menu.under',
        message: 'There is no menu group "hom.thing".',
        hint: 'Did you mean "home.thing"?',
      },
    ]);
    expect(readFileSync(join(schemas, 'test/thing.json'), 'utf8').split('\n')[problems[0]!.line - 1]).toContain(
      '"under"',
    );
  });
});
