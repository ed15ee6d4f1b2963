import type { PageType, Screen } from '../../descriptor/types.ts';
import type { EffectiveRight, EffectiveRights, Explanation, Layer } from '../../domain/effective_rights.ts';
import type { Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';
import { notFound } from '../errors.ts';
import type { ScreenOfMatrix } from './role_rights.ts';
import { MODULE_NAMES } from './role_rights.ts';
import type { RoleGrants } from './rights.ts';
import { PAGE_TYPES, compileRights, effectiveProducts, productSuffix } from './rights.ts';
import { readRoles } from './session_rows.ts';

const PAGE_WORDS: Record<PageType, string> = { landing: 'List', add_screen: 'Add', edit_screen: 'Edit', view_screen: 'View', approval_screen: 'Approve', transfer_screen: 'Transfer' };

interface UserRow {
  id: number;
  name: string;
  status: string;
  active: boolean;
  is_admin: boolean;
  products: string[] | null;
  company: number | null;
  role_ids: number[] | null;
}

/** Why a user may, or may not, open a page of a screen in a company: each layer with its answer (platform.md §3.3). */
export async function explainRights(tenant: Tenant, userId: number, screen: Screen, page: PageType, entityId: number | null): Promise<Explanation> {
  const s = quoted(tenant.schema);
  const [user] = await tenant.db.query<UserRow>(
    `select u.id, u.name, u.status, u.active, coalesce(u.is_admin, false) as is_admin, u.products, c.entity_id as company, c.role_ids from ${s}.users u
     left join ${s}.users__companies c on c.parent_id = u.id and ($2::bigint is null or c.entity_id = $2) where u.id = $1 order by c.is_default desc nulls last limit 1`, [userId, entityId]);
  if (!user) throw notFound();
  const roles = await readRoles(tenant, user.role_ids ?? []);
  const rights = compileRights({ isAdmin: user.is_admin, version: 0, clientProducts: tenant.products, userProducts: user.products ?? [], roles, ...(tenant.ended && { ended: tenant.ended.products }), ...(tenant.catalogue && { catalogue: tenant.catalogue }) });
  const { access } = screen;
  const words = (codes: string[]) => codes.map((code) => MODULE_NAMES[code] ?? code).join(' or ');
  const bought = new Set(tenant.products.map(productSuffix));
  const own = effectiveProducts(tenant.products, user.products ?? []);
  const open = (role: RoleGrants) => role.modules.filter((module) => module.active && !module.hideAll).map((module) => module.code);
  const withModule = roles.filter((role) => open(role).some((code) => access.modules.includes(code)));
  const withScreen = roles.filter((role) => role.screens.some((right) => access.screens.includes(right.code)));
  const granting = roles.filter((role) =>
    role.screens.some((right) => access.screens.includes(right.code) && right[page] && (right.module === null || open(role).includes(right.module))));
  const counted = roles.filter((role) => role.screens.some((right) => access.screens.includes(right.code) && (right.module === null || open(role).includes(right.module))));
  const layers: Layer[] = [
    { layer: 'account', passed: user.active && user.status === 'active', text: user.status === 'active' ? `${user.name}'s account is active.` : `${user.name}'s account is ${user.status}.` },
    { layer: 'client product', passed: access.products.length === 0 || access.products.some((code) => bought.has(code)), text: access.products.length === 0 ? 'Every client has this screen.' : `The screen belongs to product ${access.products.join(' or ')}.` },
    { layer: 'user product', passed: access.products.length === 0 || access.products.some((code) => own.has(code)), text: (user.products ?? []).length === 0 ? 'The user has all products of the client.' : `The user has the products ${user.products!.join(', ')}.` },
    { layer: 'company', passed: user.company !== null, text: user.company === null ? 'The user is not mapped to this company.' : 'The user is mapped to this company.' },
  ];
  const off = tenant.catalogue?.screensOff.get(access.screens[0] ?? '') ?? (access.modules.length > 0 && access.modules.every((code) => tenant.catalogue?.modulesOff.has(code)) ? `Module ${words(access.modules)} is switched off on this platform.` : null);
  if (off !== null) layers.push({ layer: 'platform', passed: false, text: off });
  if (user.is_admin) layers.push({ layer: 'screen', passed: true, text: 'Administrators pass modules, screens and actions.' });
  else if (rights.everyone(screen)) layers.push({ layer: 'screen', passed: true, text: 'Everybody may open this screen, with their own records.' });
  else
    layers.push(
      { layer: 'module', passed: withModule.length > 0, text: withModule.length > 0 ? `Module ${words(access.modules)} is open in ${withModule.map(({ name }) => name).join(', ')}.` : `No role of the user opens the module ${words(access.modules)}.` },
      { layer: 'screen', passed: counted.length > 0, text: counted.length > 0 ? `Given by ${counted.map(({ name }) => name).join(', ')}.` : withScreen.length > 0 ? `${withScreen.map(({ name }) => name).join(', ')} ticks it, but its module is not open there.` : `No role of the user gives ${access.screens.join(' or ')}.` },
      { layer: 'page', passed: granting.length > 0, text: granting.length > 0 ? `"${PAGE_WORDS[page]}" is ticked in ${granting.map(({ name }) => name).join(', ')}.` : `No role of the user ticks "${PAGE_WORDS[page]}".` },
    );
  const writes = page === 'add_screen' || page === 'edit_screen';
  if (writes && access.action !== null) {
    const refusal = rights.refuseAction(access.action);
    layers.push({ layer: 'action', passed: refusal === null, text: refusal === null ? `The action ${access.action} is given.` : `No role of the user gives the action ${access.action}.` });
  }
  const failed = layers.find(({ passed }) => !passed);
  return { allowed: failed === undefined, screen: screen.plural, reason: failed?.layer ?? null, layers, granting_roles: granting.map(({ name }) => name), data_scope: failed ? null : rights.dataScope(screen) };
}

/** Everything a user may open in a company, in a fixed number of statements however many roles and screens there are. */
export async function effectiveRights(tenant: Tenant, userId: number, entityId: number | null, catalogue: ScreenOfMatrix[]): Promise<EffectiveRights> {
  const s = quoted(tenant.schema);
  const companies = await tenant.db.query<{ id: number; name: string; role_ids: number[] | null; is_default: boolean }>(
    `select c.entity_id as id, e.name, c.role_ids, coalesce(c.is_default, false) as is_default from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id where c.parent_id = $1 order by c.is_default desc nulls last, e.name`, [userId]);
  const company = companies.find(({ id }) => id === entityId) ?? companies[0] ?? null;
  const [user] = await tenant.db.query<UserRow>(`select id, name, status, active, coalesce(is_admin, false) as is_admin, products from ${s}.users where id = $1`, [userId]);
  if (!user) throw notFound();
  const roles = await readRoles(tenant, company?.role_ids ?? []);
  const products = effectiveProducts(tenant.products, user.products ?? []);
  const rights = compileRights({ isAdmin: user.is_admin, version: 0, clientProducts: tenant.products, userProducts: user.products ?? [], roles, ...(tenant.ended && { ended: tenant.ended.products }), ...(tenant.catalogue && { catalogue: tenant.catalogue }) });
  const granted = rights.screens();
  const byScreen = new Map<string, Map<PageType, string[]>>();
  for (const role of roles) {
    const open = new Set(role.modules.filter((module) => module.active && !module.hideAll).map((module) => module.code));
    for (const right of role.screens) {
      if (right.module === null ? open.size === 0 : !open.has(right.module)) continue;
      const pages = byScreen.get(right.code) ?? new Map<PageType, string[]>();
      byScreen.set(right.code, pages);
      for (const page of PAGE_TYPES) if (right[page]) pages.set(page, [...(pages.get(page) ?? []), role.name]);
    }
  }
  const screens = catalogue.flatMap((screen): EffectiveRight[] => {
    if (screen.products.length > 0 && !screen.products.some((code) => products.has(productSuffix(code)))) return [];
    if (user.is_admin) return [{ screen_code: screen.screen_code, name: screen.name, route: screen.route, pages: Object.fromEntries(screen.has.map((page) => [page, ['Administrator']])), data_scope: 'company' }];
    const pages = byScreen.get(screen.screen_code);
    if (!pages || pages.size === 0) return [];
    return [{ screen_code: screen.screen_code, name: screen.name, route: screen.route, pages: Object.fromEntries(pages), data_scope: granted.get(screen.screen_code)?.scope ?? 'company' }];
  });
  return {
    user: { id: user.id, name: user.name, is_admin: user.is_admin, status: user.status },
    companies: companies.map(({ id, name }) => ({ id, name })),
    entity_id: company?.id ?? null,
    roles: roles.map(({ id, name }) => ({ id, name })),
    products: [...products].sort(),
    actions: [...new Set(roles.flatMap((role) => role.actions))].sort().map((code) => ({ code, roles: roles.filter((role) => role.actions.includes(code)).map(({ name }) => name) })),
    screens,
  };
}
