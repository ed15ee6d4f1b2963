import { createHash } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import type { AddedScreen, CatalogueView, MenuChange } from '../../db/tenant.ts';

/** For how many days a screen is marked as new. */
const NEW_DAYS = 30;

interface Catalogue {
  stamp: number;
  fresh: string[];
  modules: { code: string; name: string; shipped: string | null; active: boolean }[];
  screens: {
    code: string;
    name: string;
    shipped: string | null;
    active: boolean;
    route: string | null;
    everyone: boolean;
    everyone_shipped: boolean | null;
    released_to: string[] | null;
    under: string | null;
    position: number | null;
    module: string | null;
  }[];
}

/** Reads the differences from the shipped catalogue; missing lists have none. */
export async function readCatalogueChanges(main: Queryable): Promise<Catalogue> {
  try {
    const [{ stamp } = { stamp: 0 }] = await main.query<{ stamp: number }>(
      'select (coalesce((select sum(version - 1) from public.module), 0) + coalesce((select sum(version - 1) from public.screen), 0))::int as stamp',
    );
    const modules = await main.query<Catalogue['modules'][number]>(
      'select module_code as code, module_name as name, shipped_name as shipped, active from public.module where not active or module_name is distinct from shipped_name order by 1',
    );
    const screens = await main.query<Catalogue['screens'][number]>(
      `select screen_code as code, name, shipped_name as shipped, active, route, isnonadmintoshow as everyone, shipped_nonadmin as everyone_shipped, released_to, menu_under as under, menu_position as position, (select m.module_code from public.module m where m.id = module_id) as module from public.screen
       where not active or name is distinct from shipped_name or isnonadmintoshow is distinct from shipped_nonadmin or coalesce(cardinality(released_to), 0) > 0 or menu_under is not null or menu_position is not null order by 1`,
    );
    // Screens present from the first day are not new.
    const fresh = await main.query<{ code: string }>(
      `select screen_code as code from public.screen where created_at > now() - make_interval(days => ${NEW_DAYS}) and created_at > (select min(created_at) from public.screen) + interval '1 day' order by 1`,
    );
    return { stamp, modules, screens, fresh: fresh.map(({ code }) => code) };
  } catch (error) {
    // Before the lists or their newest columns are created.
    if (['42P01', '42703'].includes((error as { code?: string }).code ?? ''))
      return { stamp: 0, modules: [], screens: [], fresh: [] };
    throw error;
  }
}

/** The catalogue for one client; null = as shipped. */
export function viewFor(catalogue: Catalogue, subDomain: string): CatalogueView | null {
  const { stamp, modules, screens, fresh } = catalogue;
  const renamed = <T extends { name: string; shipped: string | null }>(one: T) =>
    one.shipped !== null && one.name !== one.shipped;
  const screensOff = new Map<string, string>();
  const menu: MenuChange[] = [];
  const added: AddedScreen[] = [];
  for (const { code, name, active, released_to: released, route, under, position, module, ...rest } of screens) {
    const isReleased = !released || released.length === 0 || released.includes(subDomain);
    if (!active) screensOff.set(code, `${name} is switched off on this platform. Ask the platform administrator.`);
    else if (!isReleased) screensOff.set(code, `${name} has not been released to your company.`);
    // Not shipped but added by hand: an entry for an existing page.
    if (rest.shipped === null) {
      if (screensOff.has(code) || code.startsWith('COMMON_')) continue;
      if (!rest.everyone) added.push({ code, name, route, module });
      if (route !== null && under !== null)
        menu.push({ change: 'add', entry: route, name, under, position, ...(!rest.everyone && { screen: code }) });
      continue;
    }
    if (route === null) continue;
    if (under !== null || position !== null) menu.push({ change: 'move', entry: route, name: null, under, position });
    if (renamed({ name, ...rest })) menu.push({ change: 'rename', entry: route, name, under: null, position: null });
  }
  const view = {
    stamp,
    modulesOff: new Set(modules.filter(({ active }) => !active).map(({ code }) => code)),
    moduleNames: new Map(modules.filter(renamed).map(({ code, name }) => [code, name])),
    screensOff,
    everyone: new Map(
      screens
        .filter(({ everyone, everyone_shipped: shipped }) => shipped !== null && everyone !== shipped)
        .map(({ code, everyone }) => [code, everyone]),
    ),
    names: new Map(
      screens.flatMap((one) => (one.route !== null && renamed(one) ? [[one.route, one.name] as const] : [])),
    ),
    menu,
    added,
    fresh: new Set(fresh),
  };
  const text = JSON.stringify([
    stamp,
    [...view.modulesOff],
    [...view.moduleNames],
    [...screensOff],
    [...view.everyone],
    [...view.names],
    menu,
    added,
    fresh,
  ]);
  if (
    stamp === 0 &&
    view.modulesOff.size +
      view.moduleNames.size +
      screensOff.size +
      view.everyone.size +
      view.names.size +
      menu.length +
      added.length +
      fresh.length ===
      0
  )
    return null;
  return { ...view, key: createHash('sha256').update(text).digest('base64url').slice(0, 16) };
}
