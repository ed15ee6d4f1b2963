import type { Screen } from '../../../descriptor/types.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { BespokePage } from '../../access/rights/pages.ts';
import { PAGE_TYPES } from '../../access/rights/rights.ts';
import { PRODUCTS } from '../../../domain/products.ts';
import { MODULE_NAMES, PRODUCT_OF_MODULE } from '../../../domain/modules.ts';
import { screenCatalogue } from '../../access/rights/role_rights.ts';

/** Columns with the shipped state of a screen. */
const SHIPPED = ['shipped_name', 'shipped_nonadmin', 'iscommontoshow', ...PAGE_TYPES];

/**
 * Adds products, modules and screens to the lists of the administration host, from descriptors and pages. Manual
 * changes stay; unchanged values, and the shipped state, follow the descriptor.
 */
export async function fillCatalogue(
  { main }: Pick<Directory, 'main'>,
  screens: ReadonlyMap<string, Screen>,
  pages: Iterable<[string, BespokePage]> = [],
): Promise<void> {
  const types = ['product', 'module', 'screen'];
  if (!types.every((type) => screens.get(type)?.scope === 'platform')) return;
  await ensureTables({ db: main, schema: 'public' }, screens, types);
  await main.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('mainstay:catalogue', 0))`);
    await write(
      tx,
      'product (code, name, colour, description, sequence_no)',
      'code text, name text, colour text, description text, sequence_no int',
      PRODUCTS.map(([code, name, colour, description], at) => ({
        code,
        name,
        colour,
        description,
        sequence_no: (at + 1) * 10,
      })),
    );
    await write(
      tx,
      'module (module_code, module_name, product_ids, sequence_no, shipped_name)',
      'module_code text, module_name text, product text, sequence_no int',
      Object.entries(MODULE_NAMES).map(([code, name], at) => ({
        module_code: code,
        module_name: name,
        product: PRODUCT_OF_MODULE[code] ?? null,
        sequence_no: (at + 1) * 10,
      })),
      'r.module_code, r.module_name, array(select p.id from public.product p where p.code = r.product), r.sequence_no, r.module_name',
      '(lower(module_code)) do update set shipped_name = excluded.shipped_name, module_name = case when t.module_name = t.shipped_name then excluded.module_name else t.module_name end where t.shipped_name is distinct from excluded.shipped_name',
    );
    const byCode = Map.groupBy(
      [...screens.values()].sort((a, b) => Number(a.menu.hidden) - Number(b.menu.hidden)),
      (screen) => screen.access.screens[0],
    );
    const columns = [
      'screen_code',
      'name',
      'module_id',
      'route',
      'kind',
      'descriptor',
      'action_code',
      'isnonadmintoshow',
      'iscommontoshow',
      'shipped_name',
      'shipped_nonadmin',
      ...PAGE_TYPES,
    ];
    await write(
      tx,
      `screen (${columns.join(', ')})`,
      `screen_code text, name text, module text, route text, kind text, descriptor text, action_code text, isnonadmintoshow boolean, iscommontoshow boolean, shipped_name text, shipped_nonadmin boolean, ${PAGE_TYPES.map((page) => `${page} boolean`).join(', ')}`,
      screenCatalogue(screens.values(), pages).map(({ screen_code, name, modules, route, has }) => {
        const [screen] = byCode.get(screen_code) ?? [];
        return {
          screen_code,
          name: name.slice(0, 120),
          module: modules[0] ?? null,
          route,
          kind: screen?.kind ?? 'page',
          descriptor: screen?.name ?? null,
          action_code: screen?.access.action ?? null,
          isnonadmintoshow: screen?.access.everyone ?? false,
          iscommontoshow: screen?.access.common ?? false,
          shipped_name: name.slice(0, 120),
          shipped_nonadmin: screen?.access.everyone ?? false,
          ...Object.fromEntries(PAGE_TYPES.map((page) => [page, has.includes(page)])),
        };
      }),
      columns
        .map((column) =>
          column === 'module_id' ? '(select m.id from public.module m where m.module_code = r.module)' : `r.${column}`,
        )
        .join(', '),
      `(lower(screen_code)) do update set name = case when t.name = t.shipped_name then excluded.name else t.name end,
         isnonadmintoshow = case when t.shipped_nonadmin is null or t.isnonadmintoshow = t.shipped_nonadmin then excluded.isnonadmintoshow else t.isnonadmintoshow end, ${SHIPPED.map((column) => `${column} = excluded.${column}`).join(', ')}
       where (${SHIPPED.map((column) => `t.${column}`).join(', ')}) is distinct from (${SHIPPED.map((column) => `excluded.${column}`).join(', ')})`,
    );
  });
}

async function write(
  on: Queryable,
  into: string,
  columns: string,
  rows: object[],
  select = 'r.*',
  conflict = 'do nothing',
): Promise<void> {
  const [table, list] = [into.slice(0, into.indexOf(' ')), into.slice(into.indexOf(' '))];
  await on.query(
    `insert into public.${table} as t${list} select ${select} from jsonb_to_recordset($1::jsonb) as r(${columns}) on conflict ${conflict}`,
    [JSON.stringify(rows)],
  );
}
