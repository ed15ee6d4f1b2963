import { codeTitle } from '../../../domain/code_title.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import { zoneOf } from '../../../descriptor/place.ts';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { EffectiveRight, EffectiveRights, Explanation, Layer } from '../../../domain/effective_rights.ts';
import type { FieldAccess } from '../../../domain/field_access.ts';
import { formatDate, formatMoney } from '../../../descriptor/format.ts';
import type { DataScope, Lender, Session } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { OF_DEPUTIES, covers, lenderOf, readDelegations, withDelegations } from '../people/delegations.ts';
import type { ScreenOfMatrix } from './role_rights.ts';
import { MODULE_NAMES } from '../../../domain/modules.ts';
import type { CompiledRights, FieldGrants, RoleGrants } from './rights.ts';
import { PAGE_TYPES, compileRights, effectiveProducts, productSuffix } from './rights.ts';
import { readFieldGrants, readRoles, readUnitedRoles } from '../sessions/session_rows.ts';

const PAGE_WORDS: Record<PageType, string> = {
  landing: 'List',
  add_screen: 'Add',
  edit_screen: 'Edit',
  view_screen: 'View',
  approval_screen: 'Approve',
  transfer_screen: 'Transfer',
};
const SCOPE_WORDS: Record<DataScope, string> = {
  own: 'their roles show them their own records alone',
  team: 'their roles show them records of their team alone',
  branch: 'their roles show them records of their branches alone',
  company: 'it is of another company, personal to somebody, or not there',
  all_companies: 'it is of a company that is not theirs, personal to somebody, or not there',
};

interface UserRow {
  id: number;
  name: string;
  status: string;
  active: boolean;
  is_admin: boolean;
  products: string[] | null;
  employee_id: number | null;
}

interface CompanyOfUser {
  id: number;
  name: string;
  role_ids: number[];
  branch_ids: number[];
}

/** A person with their rights in a company, as in their next call. */
interface Subject {
  user: UserRow;
  companies: CompanyOfUser[];
  company: CompanyOfUser | null;
  roles: Awaited<ReturnType<typeof readRoles>>;
  own: CompiledRights;
  /** Including those of their delegators. */
  rights: CompiledRights;
  delegators: (Lender & { rights: CompiledRights })[];
}

/** Loads a user in a company, or in their default one. @throws AppError 404 */
async function subjectOf(
  tenant: Tenant,
  userId: number,
  entityId: number | null,
  elsewhere: boolean,
): Promise<Subject> {
  const s = quoted(tenant.schema);
  const [[user], companies] = await Promise.all([
    tenant.db.query<UserRow>(
      `select id, name, status, active, coalesce(is_admin, false) as is_admin, products, employee_id from ${s}.users where id = $1`,
      [userId],
    ),
    tenant.db.query<CompanyOfUser>(
      `select c.entity_id as id, e.name, coalesce(c.role_ids, '{}') as role_ids, array_remove(coalesce(c.branch_ids, '{}') || c.branch_id, null) as branch_ids
       from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id where c.parent_id = $1 order by c.is_default desc nulls last, e.name`,
      [userId],
    ),
  ]);
  if (!user) throw notFound();
  const company =
    companies.find(({ id }) => id === entityId) ?? (entityId === null || elsewhere ? (companies[0] ?? null) : null);
  const off = tenant.catalogue?.modulesOff ?? [];
  const compiled = (
    roles: RoleGrants[],
    fields: FieldGrants | undefined,
    isAdmin: boolean,
    userProducts: string[] | null,
  ) =>
    compileRights({
      isAdmin,
      version: 0,
      clientProducts: tenant.products,
      userProducts: userProducts ?? [],
      roles,
      ...(fields && { fields }),
      ...(tenant.ended && { ended: tenant.ended.products }),
      ...(tenant.catalogue && { catalogue: tenant.catalogue }),
    });
  const roles = await readRoles(tenant, company?.role_ids ?? []);
  const own = compiled(
    roles,
    await readFieldGrants(tenant, company?.role_ids ?? [], off),
    user.is_admin,
    user.products,
  );
  const given =
    user.employee_id !== null && company
      ? await readDelegations(
          tenant,
          user.employee_id,
          company.id,
          zoneOf({ entityId: company.id }, await zonesOf(tenant))!,
        )
      : [];
  const delegators = await Promise.all(
    given.map(async (row) => ({
      ...lenderOf(row),
      rights: compiled(
        [await readUnitedRoles(tenant, row.role_ids, off)],
        await readFieldGrants(tenant, row.role_ids, off),
        row.is_admin,
        row.products,
      ),
    })),
  );
  return {
    user,
    companies,
    company,
    roles,
    own,
    delegators,
    rights: delegators.length === 0 ? own : withDelegations(own, delegators),
  };
}

/** The effect of an active delegation on a page: granted by it, or why not. */
function delegationLayer(
  delegator: Subject['delegators'][number],
  screen: Screen,
  page: PageType,
  own: CompiledRights,
): Layer {
  const as = `Acts for ${delegator.name} until ${formatDate(delegator.until)}`;
  const layer = (passed: boolean, text: string): Layer => ({ layer: 'delegation', passed, text });
  if (!OF_DEPUTIES.includes(page))
    return layer(
      false,
      `${as}; deputies look and approve, the page "${PAGE_WORDS[page]}" stays with ${delegator.name}.`,
    );
  if (!covers(delegator, screen, own))
    return layer(
      false,
      delegator.types === null
        ? `${as}, of everything within their own screens; this is none of them.`
        : `${as}, for other lists than this one.`,
    );
  if (delegator.rights.refuse(screen, page) !== null) return layer(false, `${as}, who does not hold this either.`);
  return layer(
    true,
    `${as}, who holds this${page === 'approval_screen' && delegator.limit !== null ? `: up to ${formatMoney(delegator.limit)}` : ''}.`,
  );
}

/** Reads one record as another person would; refuses like their own call. */
export type ReadAs = (session: Session, screen: Screen, id: number) => Promise<unknown>;

/** Whether the row is visible, as in their own call. */
async function rowLayer(
  { user, companies, company, rights, delegators }: Subject,
  tenant: Tenant,
  screen: Screen,
  id: number,
  readAs: ReadAs,
): Promise<Layer> {
  const session: Session = {
    sid: 'explain',
    tenant,
    userId: user.id,
    userName: user.name,
    employeeId: user.employee_id,
    entityId: company?.id ?? null,
    entityIds: companies.map((one) => one.id),
    branchIds: company?.branch_ids ?? [],
    rights,
    ...(delegators.length > 0 && { actsFor: delegators }),
  };
  const seen = await readAs(session, screen, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.status < 500) return false;
      throw error;
    },
  );
  const scope = user.is_admin ? 'company' : rights.dataScope(screen);
  return {
    layer: 'row',
    passed: seen,
    text: seen
      ? 'The record is among those they see.'
      : `The record is not among those they see: ${SCOPE_WORDS[scope]}.`,
  };
}

/**
 * Why a user may, or may not, open a page of a screen in a company, and see a record of it: each layer with its result
 * (platform.md §3.3).
 */
export async function explainRights(
  tenant: Tenant,
  userId: number,
  screen: Screen,
  page: PageType,
  entityId: number | null,
  record?: { id: number; readAs: ReadAs },
): Promise<Explanation> {
  const subject = await subjectOf(tenant, userId, entityId, false);
  const { user, roles, own: rights, delegators } = subject;
  const { access } = screen;
  const words = (codes: string[]) => codes.map((code) => MODULE_NAMES[code] ?? code).join(' or ');
  const bought = new Set(tenant.products.map(productSuffix));
  const products = effectiveProducts(tenant.products, user.products ?? []);
  const open = (role: RoleGrants) =>
    role.modules.filter((module) => module.active && !module.hideAll).map((module) => module.code);
  const withModule = roles.filter((role) => open(role).some((code) => access.modules.includes(code)));
  const withScreen = roles.filter((role) => role.screens.some((right) => access.screens.includes(right.code)));
  const granting = roles.filter((role) =>
    role.screens.some(
      (right) =>
        access.screens.includes(right.code) &&
        right[page] &&
        (right.module === null || open(role).includes(right.module)),
    ),
  );
  const counted = roles.filter((role) =>
    role.screens.some(
      (right) => access.screens.includes(right.code) && (right.module === null || open(role).includes(right.module)),
    ),
  );
  const layers: Layer[] = [
    {
      layer: 'account',
      passed: user.active && user.status === 'active',
      text:
        user.status === 'active' ? `${user.name}'s account is active.` : `${user.name}'s account is ${user.status}.`,
    },
    {
      layer: 'client product',
      passed: access.products.length === 0 || access.products.some((code) => bought.has(code)),
      text:
        access.products.length === 0
          ? 'Every client has this screen.'
          : `The screen belongs to product ${access.products.join(' or ')}.`,
    },
    {
      layer: 'user product',
      passed: access.products.length === 0 || access.products.some((code) => products.has(code)),
      text:
        (user.products ?? []).length === 0
          ? 'The user has all products of the client.'
          : `The user has the products ${user.products!.join(', ')}.`,
    },
    {
      layer: 'company',
      passed: subject.company !== null,
      text:
        subject.company === null ? 'The user is not mapped to this company.' : 'The user is mapped to this company.',
    },
  ];
  const off =
    tenant.catalogue?.screensOff.get(access.screens[0] ?? '') ??
    (access.modules.length > 0 && access.modules.every((code) => tenant.catalogue?.modulesOff.has(code))
      ? `Module ${words(access.modules)} is switched off on this platform.`
      : null);
  if (off !== null) layers.push({ layer: 'platform', passed: false, text: off });
  if (user.is_admin)
    layers.push({ layer: 'screen', passed: true, text: 'Administrators pass modules, screens and actions.' });
  else if (rights.everyone(screen) && (page !== 'approval_screen' || screen.access.team === true))
    layers.push({ layer: 'screen', passed: true, text: 'Everybody may open this screen, with their own records.' });
  else
    layers.push(
      {
        layer: 'module',
        passed: withModule.length > 0,
        text:
          withModule.length > 0
            ? `Module ${words(access.modules)} is open in ${withModule.map(({ name }) => name).join(', ')}.`
            : `No role of the user opens the module ${words(access.modules)}.`,
      },
      {
        layer: 'screen',
        passed: counted.length > 0,
        text:
          counted.length > 0
            ? `Given by ${counted.map(({ name }) => name).join(', ')}.`
            : withScreen.length > 0
              ? `${withScreen.map(({ name }) => name).join(', ')} ticks it, but its module is not open there.`
              : `No role of the user gives ${screen.plural}.`,
      },
      {
        layer: 'page',
        passed: granting.length > 0,
        text:
          granting.length > 0
            ? `"${PAGE_WORDS[page]}" is ticked in ${granting.map(({ name }) => name).join(', ')}.`
            : `No role of the user ticks "${PAGE_WORDS[page]}".`,
      },
    );
  const writes = page === 'add_screen' || page === 'edit_screen';
  if (writes && access.action !== null) {
    const refusal = rights.refuseAction(access.action);
    layers.push({
      layer: 'action',
      passed: refusal === null,
      text:
        refusal === null
          ? `The action “${codeTitle(access.action)}” is given.`
          : `No role of the user gives the action “${codeTitle(access.action)}”.`,
    });
  }
  // A deputy passes with the delegator's right, even if their own roles lack it.
  const account = layers.find(({ layer, passed }) => !passed && (layer === 'account' || layer === 'company'));
  const lent =
    account === undefined && rights.refuse(screen, page) !== null && subject.rights.refuse(screen, page) === null;
  layers.push(...delegators.map((delegator) => delegationLayer(delegator, screen, page, rights)));
  let failed = lent ? undefined : layers.find(({ layer, passed }) => !passed && layer !== 'delegation');
  if (record && !failed) {
    const row = await rowLayer(subject, tenant, screen, record.id, record.readAs);
    layers.push(row);
    if (!row.passed) failed = row;
  }
  return {
    allowed: failed === undefined,
    screen: screen.plural,
    reason: failed?.layer ?? null,
    layers,
    granting_roles: granting.map(({ name }) => name),
    data_scope: failed ? null : subject.rights.dataScope(screen),
    fields: failed ? [] : keptFields(subject.rights, screen),
  };
}

/** Fields of a screen that a person may not write, by title. */
function keptFields(rights: CompiledRights, screen: Screen): { title: string; access: FieldAccess }[] {
  return [...rights.fieldAccess(screen)].flatMap(([name, access]) => {
    const field = screen.fields.find((one) => one.name === name);
    return field ? [{ title: field.title, access }] : [];
  });
}

/**
 * Everything a user may open in a company, in a fixed number of statements regardless of the number of roles and
 * screens.
 */
export async function effectiveRights(
  tenant: Tenant,
  userId: number,
  entityId: number | null,
  catalogue: ScreenOfMatrix[],
  product: Iterable<Screen>,
): Promise<EffectiveRights> {
  const {
    user,
    companies,
    company,
    roles,
    own: rights,
    delegators,
    rights: all,
  } = await subjectOf(tenant, userId, entityId, true);
  const types = [...product];
  const products = effectiveProducts(tenant.products, user.products ?? []);
  const granted = rights.screens();
  const byScreen = new Map<string, Map<PageType, string[]>>();
  for (const role of roles) {
    const open = new Set(
      role.modules.filter((module) => module.active && !module.hideAll).map((module) => module.code),
    );
    for (const right of role.screens) {
      if (right.module === null ? open.size === 0 : !open.has(right.module)) continue;
      const pages = byScreen.get(right.code) ?? new Map<PageType, string[]>();
      byScreen.set(right.code, pages);
      for (const page of PAGE_TYPES) if (right[page]) pages.set(page, [...(pages.get(page) ?? []), role.name]);
    }
  }
  const lent = lentPages(rights, delegators, types);
  const screens = catalogue.flatMap((screen): EffectiveRight[] => {
    if (
      !lent.has(screen.screen_code) &&
      screen.products.length > 0 &&
      !screen.products.some((code) => products.has(productSuffix(code)))
    )
      return [];
    if (user.is_admin)
      return [
        {
          screen_code: screen.screen_code,
          name: screen.name,
          route: screen.route,
          pages: Object.fromEntries(screen.has.map((page) => [page, ['Administrator']])),
          data_scope: 'company',
        },
      ];
    const pages = new Map([...(byScreen.get(screen.screen_code) ?? []), ...(lent.get(screen.screen_code) ?? [])]);
    if (pages.size === 0) return [];
    return [
      {
        screen_code: screen.screen_code,
        name: screen.name,
        route: screen.route,
        pages: Object.fromEntries(pages),
        data_scope: granted.get(screen.screen_code)?.scope ?? 'company',
      },
    ];
  });
  return {
    user: { id: user.id, name: user.name, is_admin: user.is_admin, status: user.status },
    companies: companies.map(({ id, name }) => ({ id, name })),
    entity_id: company?.id ?? null,
    roles: roles.map(({ id, name }) => ({ id, name })),
    products: [...products].sort(),
    actions: [...new Set(roles.flatMap((role) => role.actions))]
      .sort()
      .map((code) => ({ code, roles: roles.filter((role) => role.actions.includes(code)).map(({ name }) => name) })),
    acts_for: delegators.map(({ name, until, types, limit }) => ({ name, until, types, limit })),
    screens,
    fields: all.restricted
      ? types
          .filter((screen) => screen.scope !== 'platform' && all.refuse(screen, 'landing') === null)
          .flatMap((screen) => keptFields(all, screen).map((field) => ({ screen: screen.plural, ...field })))
      : [],
  };
}

/** By screen code, pages that a person has only as a deputy, with the delegators. */
function lentPages(
  own: CompiledRights,
  delegators: Subject['delegators'],
  product: Iterable<Screen>,
): Map<string, Map<PageType, string[]>> {
  const lent = new Map<string, Map<PageType, string[]>>();
  if (delegators.length === 0) return lent;
  for (const screen of product)
    for (const page of OF_DEPUTIES) {
      if (screen.scope === 'platform' || own.refuse(screen, page) === null) continue;
      const names = delegators
        .filter((delegator) => delegationLayer(delegator, screen, page, own).passed)
        .map(({ name }) => `Deputy of ${name}`);
      const code = screen.access.screens[0];
      if (names.length === 0 || code === undefined) continue;
      lent.set(code, (lent.get(code) ?? new Map<PageType, string[]>()).set(page, names));
    }
  return lent;
}
