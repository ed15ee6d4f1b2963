import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Screen } from '../../../src/descriptor/types.ts';
import { fillCatalogue } from '../../../src/server/platform/clients/catalogue.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';
import { readPages } from '../../../src/server/access/rights/pages.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';

const SCHEMAS = join(import.meta.dirname, '../../../schemas');

describe('lists of products, modules and screens', () => {
  let database: TestDatabase;
  let screens: Map<string, Screen>;
  const sql = <T>(text: string, values: unknown[] = []) => database.directory.main.query<T>(text, values);

  beforeAll(async () => {
    database = await testDatabase();
    ({ screens } = await loadScreens(SCHEMAS));
    await fillCatalogue(database.directory, screens, readPages(SCHEMAS));
  });
  afterAll(() => database.close());

  it('match the descriptors and pages', async () => {
    const [module] = await sql<{ products: string[] }>(
      `select array(select p.code from public.product p where p.id = any(m.product_ids)) as products from public.module m where m.module_code = 'TICKETS'`,
    );
    expect(module?.products).toEqual(['TKT']);
    const [branch] = await sql(
      `select s.name, s.route, s.descriptor, s.kind, s.action_code, s.landing, s.edit_screen, s.approval_screen, m.module_code from public.screen s join public.module m on m.id = s.module_id where s.screen_code = 'SCN_BRANCH'`,
    );
    expect(branch).toEqual({
      name: 'Branches',
      route: '/branch',
      descriptor: 'branch',
      kind: 'master',
      action_code: 'CREATE_MASTERS',
      landing: true,
      edit_screen: true,
      approval_screen: false,
      module_code: 'MASTERS',
    });
    expect(await sql(`select kind, route from public.screen where screen_code = 'SCN_AUDIT'`)).toEqual([
      { kind: 'page', route: '/activity_log' },
    ]);
    expect(await sql(`select 1 from public.screen where screen_code like 'COMMON%'`)).toEqual([]);
  });

  it('keep manual changes at the next start; only the pages follow the descriptor', async () => {
    await sql(
      `update public.screen set name = 'Places', sequence_no = 7, add_screen = false where screen_code = 'SCN_BRANCH'`,
    );
    const [before] = await sql<{ n: number }>('select count(*)::int as n from public.screen');
    await fillCatalogue(database.directory, screens, readPages(SCHEMAS));
    expect(
      await sql(`select name, sequence_no, add_screen from public.screen where screen_code = 'SCN_BRANCH'`),
    ).toEqual([{ name: 'Places', sequence_no: 7, add_screen: true }]);
    expect(await sql('select count(*)::int as n from public.screen')).toEqual([before]);
    await sql(`update public.screen set name = 'Branches', sequence_no = 0 where screen_code = 'SCN_BRANCH'`);
  });
});
