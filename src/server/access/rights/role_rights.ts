import { MODULE_NAMES } from '../../../domain/modules.ts';
import { announceRights } from '../../db/announce.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import { fieldRightError } from '../../../descriptor/overlay.ts';
import type { FieldAccess, FieldRight } from '../../../domain/field_access.ts';
import { FIELD_ACCESSES, widerAccess } from '../../../domain/field_access.ts';
import { rightsWarnings } from '../../../domain/rights_warnings.ts';
import type { DataScope, Session } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { BespokePage } from './pages.ts';
import type { CompiledRights } from './rights.ts';
import { PAGE_TYPES } from './rights.ts';

/** Every action code that a role can give. */
export const ACTION_CODES = [
  'CREATE_MASTERS',
  'CREATE_USERS',
  'CREATE_CHK',
  'ADOPT_CHK',
  'RUN_REPORTS',
  'SHARE_REPORTS',
  'DELETE_RECORDS',
  'IMPORT_DATA',
  'EXPORT_DATA',
  'MANAGE_RIGHTS',
  'MANAGE_INTEGRATIONS',
  'VIEW_AUDIT',
  'RUN_JOBS',
  'CHK_EXTEND',
  'CHK_REOPEN',
  'CHK_REOPEN_MONTH',
  'CHK_CLOSE_MONTH',
  'CHK_GRANT_NA',
  'TKT_ASSIGN',
  'TKT_INTERNAL',
  'TKT_MERGE',
  'FMS_ASSIGN',
  'FMS_FIELD',
  'FMS_PRICE_OVERRIDE',
  'FMS_ACTIVATE_UNSIGNED',
  'FMS_POST_BILL',
  'FMS_CANCEL_BILL',
  'FMS_REVERSE_RECEIPT',
  'FMS_TRANSFER',
  'FMS_BACKDATE',
  'FMS_PERIOD_LOCK',
  'MR_RAISE',
  'MR_APPROVE_COMMERCIAL',
  'MR_APPROVE_TECHNICAL',
  'MR_OVERRIDE_CREDIT',
  'MR_GOODWILL',
  'MR_QUOTE_DISCOUNT',
  'STOCK_POST',
  'STOCK_APPROVE_TRANSFER',
  'STOCK_BACKDATE',
  'STOCK_ADJUST',
  'STOCK_COUNT_APPROVE',
  'STOCK_PERIOD_CLOSE',
  'STOCK_VALUE_VIEW',
  'FIL_FILE',
  'ADMIN_ACTUAL',
  'FREEZE_PERIOD',
  'REOPEN_PERIOD',
  'LAUNCH_APPRAISAL',
  'MODERATE',
  'RELEASE_RATING',
  'VIEW_PAY',
  'VIEW_FEEDBACK',
  'RUN_INCENTIVE',
  'APPROVE_INCENTIVE',
  'CASE_START',
  'WF_RULE',
  'MANAGE_BOARD',
  'ASK_BOARD',
  'MANAGE_ORG',
] as const;
const SCOPES: DataScope[] = ['own', 'team', 'branch', 'company', 'all_companies'];

/** A screen as the matrix of rights lists it. */
export interface ScreenOfMatrix {
  screen_code: string;
  name: string;
  /** The names of other screens with the same code. */
  also?: string[];
  route: string | null;
  modules: string[];
  products: string[];
  has: PageType[];
  /** For masters: their menu group. */
  group?: string;
  /** Its records are nobody's own: a right to own or the team's records shows those of the company. */
  unowned?: true;
  /** False: the menu names it, but no page serves it. */
  released?: false;
}

/** The page types of a screen. */
export function pageTypesOf({ routes, kind, workflow }: Screen): PageType[] {
  return PAGE_TYPES.filter((page) =>
    page === 'landing'
      ? true
      : page === 'add_screen'
        ? routes.add !== null && kind !== 'settings'
        : page === 'edit_screen'
          ? routes.edit !== null || kind === 'settings'
          : page === 'view_screen'
            ? kind !== 'settings'
            : kind === 'document' || workflow?.transitions.some(({ right }) => right?.page === page) === true,
  );
}

/** Whether a screen's code matches its name: SCN_CONFIGURATION of configuration. */
function ofItsName({ name, access }: Screen): boolean {
  return access.screens.some((code) => code.toLowerCase() === `scn_${name}`);
}

/** All screens of the product by code: those of descriptors, and coded pages. */
export function screenCatalogue(screens: Iterable<Screen>, pages: Iterable<[string, BespokePage]>): ScreenOfMatrix[] {
  const byCode = new Map<string, ScreenOfMatrix>();
  const add = (
    code: string,
    name: string,
    route: string | null,
    modules: string[],
    products: string[],
    has: PageType[],
    shared: boolean,
  ) => {
    if (code.startsWith('COMMON_')) return;
    const known = byCode.get(code);
    if (!known) {
      byCode.set(code, { screen_code: code, name, route: shared ? null : route, modules, products, has });
      return;
    }
    known.has = PAGE_TYPES.filter((page) => known.has.includes(page) || has.includes(page));
    known.modules = [...new Set([...known.modules, ...modules])];
    known.products =
      known.products.length === 0 || products.length === 0 ? [] : [...new Set([...known.products, ...products])];
    if (!shared && known.route !== null && known.name !== name && known.also?.includes(name) !== true)
      known.also = [...(known.also ?? []), name];
  };
  // A code shared by several screens is named after one of them: one in the menu, preferably the one whose name matches
  // the code, and of a whole and its parts (user_manual, user_manual_chapter) the whole.
  const inOrder = [...screens].sort(
    (a, b) =>
      Number(a.menu.hidden) - Number(b.menu.hidden) ||
      Number(ofItsName(b)) - Number(ofItsName(a)) ||
      a.name.length - b.name.length ||
      a.name.localeCompare(b.name),
  );
  const served = inOrder.filter(({ scope }) => scope !== 'platform');
  for (const screen of served) {
    const { routes, access } = screen;
    const [code] = access.screens;
    if (code !== undefined)
      add(code, screen.plural, routes.landing, access.modules, access.products, pageTypesOf(screen), false);
  }
  for (const [route, page] of pages)
    for (const code of page.screen ?? [])
      add(
        code,
        page.by.replace(/^[^:]*:\s*/, ''),
        route,
        page.module ?? [],
        page.product ?? [],
        [page.page ?? 'landing'],
        false,
      );
  // A further code of screens is the right to all of them, unless it is the code of a page of its own.
  const opens = Map.groupBy(
    served.flatMap((screen) => screen.access.screens.slice(1).map((code) => ({ code, screen }))),
    ({ code }) => code,
  );
  for (const [code, found] of opens)
    for (const { screen } of found) {
      const { routes, access } = screen;
      const name = nameOfShared(
        code,
        found.map((one) => one.screen),
      );
      add(code, name, routes.landing, access.modules, access.products, pageTypesOf(screen), true);
    }
  for (const [code, known] of byCode) {
    const types = inOrder.filter(({ access }) => access.screens.includes(code));
    if (types.length > 0 && types.every(({ scopes }) => scopes?.all === true)) known.unowned = true;
  }
  return [...byCode.values()].sort(
    (a, b) => (a.modules[0] ?? '').localeCompare(b.modules[0] ?? '') || a.name.localeCompare(b.name),
  );
}

export interface ModuleRight {
  module_code: string;
  active: boolean;
  hide_all: boolean;
}
export type ScreenRight = { screen_code: string; data_scope: DataScope } & Record<PageType, boolean>;

/** Above so many screens, a code is named after their module. */
const MAX_NAMED = 3;

/** "All of Field service", or of few screens "Material requests (MR approval)" after the words of the code. */
function nameOfShared(code: string, screens: readonly Screen[]): string {
  if (screens.length > MAX_NAMED) {
    const [module = ''] = screens[0]!.access.modules;
    return `All of ${MODULE_NAMES[module] ?? (module || 'these screens')}`;
  }
  const words = code
    .replace(/^SCN_(FMS_)?/, '')
    .split('_')
    .map((word) => (word.length < 3 ? word : word.toLowerCase()))
    .join(' ');
  return `${screens.map(({ plural }) => plural).join(', ')} (${words})`;
}

/** Everything a role grants. */
export interface RoleRights {
  role: {
    id: number;
    code: string;
    role_name: string;
    version: number;
    is_system: boolean;
    template_code: string | null;
  };
  modules: ModuleRight[];
  screens: ScreenRight[];
  actions: string[];
  /** Fields that it hides or makes read-only. */
  fields: FieldRight[];
}

/** What a role grants. @throws AppError 404 */
export async function readRoleRights(on: Queryable, schema: string, roleId: number): Promise<RoleRights> {
  const s = quoted(schema);
  const [role] = await on.query<RoleRights['role']>(
    `select id, code, role_name, version, coalesce(is_system, false) as is_system, template_code from ${s}.role where id = $1`,
    [roleId],
  );
  if (!role) throw notFound();
  // Sequentially, because `on` may be the single connection of a transaction.
  const modules = await on.query<ModuleRight>(
    `select module_code, active, hide_all from ${s}.module_rights where role_id = $1 order by module_code`,
    [roleId],
  );
  const screens = await on.query<ScreenRight>(
    `select screen_code, ${PAGE_TYPES.join(', ')}, data_scope from ${s}.screen_rights where role_id = $1 order by screen_code`,
    [roleId],
  );
  const actions = await on.query<{ action_code: string }>(
    `select action_code from ${s}.role_action where role_id = $1 order by action_code`,
    [roleId],
  );
  const fields = await on.query<FieldRight>(
    `select record_type, field, access from ${s}.field_right where role_id = $1 order by record_type, field`,
    [roleId],
  );
  return { role, modules, screens, actions: actions.map(({ action_code: code }) => code), fields };
}

/** The request of a save: only changes are required. */
export interface RightsChange {
  version: number;
  modules?: ModuleRight[];
  screens?: ScreenRight[];
  /** All of them. */
  actions?: string[];
  fields?: FieldRight[];
  note?: string;
}

export interface SavedRights {
  version: number;
  users_affected: number;
  warnings: string[];
  changes: number;
  /** Users who hold the role. */
  users: number[];
}

const anyPage = (right: ScreenRight) => PAGE_TYPES.some((page) => right[page]);

/**
 * Nobody can raise their own rights: not of their own role, and no rights that they lack. @throws AppError 403
 * elevation
 */
function refuseElevation(
  session: Session & { roleIds?: number[]; companies?: { role_ids: number[] }[] },
  roleId: number,
  before: RoleRights,
  after: Required<Snapshot>,
  { catalogue, types }: Catalogue,
): void {
  if (session.rights.isAdmin) return;
  const held = [session.roleIds ?? [], ...(session.companies ?? []).map(({ role_ids: ids }) => ids)].flat();
  if (held.includes(roleId))
    throw new AppError(403, 'elevation', 'You hold this role yourself. Ask an administrator to change it.');
  const rights = session.rights as CompiledRights;
  const own = rights.screens();
  const known = new Map(before.screens.map((right) => [right.screen_code, right]));
  // Opening a module activates everything ticked in it.
  const [wasOpen, isOpen] = [counts(before.modules, catalogue), counts(after.modules, catalogue)];
  for (const right of after.screens) {
    const { screen_code: code } = right;
    const old = wasOpen(code) ? known.get(code) : undefined;
    if (!isOpen(code)) continue;
    const name = catalogue.get(code)?.name ?? code;
    const page = PAGE_TYPES.find((one) => right[one] && !old?.[one] && !rights.holds([code], one));
    if (page)
      throw new AppError(403, 'elevation', `You cannot give "${name}" (${page}): you do not hold it yourself.`, {
        field: code,
      });
    const wider =
      SCOPES.indexOf(right.data_scope) >
      Math.max(SCOPES.indexOf(own.get(code)?.scope ?? 'own'), SCOPES.indexOf(old?.data_scope ?? 'own'));
    if (wider && anyPage(right))
      throw new AppError(
        403,
        'elevation',
        `You cannot give "${name}" for the records of "${right.data_scope}": your own access is narrower.`,
        { field: code },
      );
  }
  for (const { record_type: type, field } of [...before.fields, ...after.fields]) {
    const [was, is] = [before.fields, after.fields].map(
      (fields) => fields.find((one) => one.record_type === type && one.field === field)?.access ?? 'write',
    ) as [FieldAccess, FieldAccess];
    const screen = types.get(type);
    const own: FieldAccess = screen ? (rights.fieldAccess(screen).get(field) ?? 'write') : 'write';
    if (widerAccess(is, was) !== was && widerAccess(is, own) !== own)
      throw new AppError(
        403,
        'elevation',
        `You cannot give "${screen?.fields.find(({ name }) => name === field)?.title ?? field}" of ${screen?.plural ?? type} (${is}): it is kept from you.`,
        { field },
      );
  }
  const action = after.actions.find(
    (code) => !before.actions.includes(code) && session.rights.refuseAction(code) !== null,
  );
  if (action)
    throw new AppError(403, 'elevation', `You cannot give the action ${action}: you do not hold it yourself.`, {
      field: action,
    });
}

/** Whether a screen counts in a role with these modules. */
function counts(modules: ModuleRight[], catalogue: Map<string, ScreenOfMatrix>): (code: string) => boolean {
  const open = new Set(
    modules.filter((module) => module.active && !module.hide_all).map((module) => module.module_code),
  );
  return (code) => {
    const own = catalogue.get(code)?.modules ?? [];
    return own.length === 0 || own.some((module) => open.has(module));
  };
}

/** The grantable rights: screens of the matrix by code, and the client's record types by name. */
interface Catalogue {
  catalogue: Map<string, ScreenOfMatrix>;
  types: ReadonlyMap<string, Screen>;
}

/** Whether the role's field restrictions are possible together with its ticks. @throws AppError 422 */
function checkFields(fields: FieldRight[], rights: ScreenRight[], types: ReadonlyMap<string, Screen>): void {
  const adds = new Set(rights.filter((right) => right.add_screen).map((right) => right.screen_code));
  for (const { record_type: type, field, access } of fields) {
    const screen = types.get(type);
    // A type or field of an older version, or of a missing product, restricts nothing.
    if (!screen?.fields.some(({ name }) => name === field)) continue;
    const message = fieldRightError(
      screen,
      field,
      access,
      screen.access.screens.some((code) => adds.has(code)),
    );
    if (message !== null) throw new AppError(422, 'invalid', `${screen.plural}: ${message}`, { field });
  }
}

function check(change: RightsChange, { catalogue, types }: Catalogue): void {
  const wrong = (field: string, message: string) => new AppError(422, 'invalid', message, { field });
  for (const right of change.screens ?? []) {
    if (!catalogue.has(right.screen_code)) throw wrong(right.screen_code, `There is no screen ${right.screen_code}.`);
    if (!SCOPES.includes(right.data_scope))
      throw wrong(right.screen_code, `The data scope must be one of ${SCOPES.join(', ')}.`);
    for (const page of PAGE_TYPES)
      if (typeof right[page] !== 'boolean') throw wrong(right.screen_code, `Say ${page} as true or false.`);
  }
  for (const module of change.modules ?? [])
    if (!(module.module_code in MODULE_NAMES))
      throw wrong(module.module_code, `There is no module ${module.module_code}.`);
  for (const { record_type: type, field, access } of change.fields ?? []) {
    if (access === 'write') continue;
    const screen = types.get(type);
    if (!screen || screen.scope === 'platform') throw wrong('record_type', `There is no record type ${type}.`);
    if (!screen.fields.some(({ name }) => name === field))
      throw wrong('field', `${screen.title} has no field "${field}".`);
    if (!FIELD_ACCESSES.includes(access))
      throw wrong('access', `What a role may do with a field is one of ${FIELD_ACCESSES.join(', ')}.`);
  }
  for (const action of change.actions ?? [])
    if (!(ACTION_CODES as readonly string[]).includes(action)) throw wrong(action, `There is no action ${action}.`);
}

/**
 * Saves the rights of a role as one change, with a version that can be restored. `saved` runs in the same transaction.
 * @throws AppError 403 elevation, 404, 409 stale_version with who changed what, 422
 */
export async function saveRoleRights(
  session: Session,
  roleId: number,
  change: RightsChange,
  screens: ScreenOfMatrix[],
  types: ReadonlyMap<string, Screen>,
  saved: (tx: Queryable, rights: SavedRights) => Promise<void>,
): Promise<SavedRights> {
  return session.tenant.db.transaction(async (tx) => {
    const rights = await saveRoleRightsIn(tx, session, roleId, change, screens, types);
    if (rights.changes > 0) {
      await announceRole(tx, session.tenant.schema, roleId);
      await saved(tx, rights);
    }
    return rights;
  });
}

/** The same within a transaction of the caller, who announces it. */
export async function saveRoleRightsIn(
  tx: Queryable,
  session: Session,
  roleId: number,
  change: RightsChange,
  screens: ScreenOfMatrix[],
  types: ReadonlyMap<string, Screen>,
): Promise<SavedRights> {
  const { tenant, userId } = session;
  const s = quoted(tenant.schema);
  const catalogue = new Map(screens.map((screen) => [screen.screen_code, screen]));
  check(change, { catalogue, types });
  await tx.query(`select 1 from ${s}.role where id = $1 for update`, [roleId]);
  const before = await readRoleRights(tx, tenant.schema, roleId);
  if (before.role.version !== change.version) throw await stale(tx, tenant, before);

  const modules = merged(before.modules, change.modules ?? [], 'module_code');
  const rights = merged(before.screens, change.screens ?? [], 'screen_code').filter(anyPage);
  const actions = change.actions ?? before.actions;
  const keyed = (fields: FieldRight[]) =>
    fields.map((right) => ({ ...right, key: `${right.record_type} ${right.field}` }));
  const fields = merged(keyed(before.fields), keyed(change.fields ?? []), 'key').flatMap(({ key: _key, ...right }) =>
    right.access === 'write' ? [] : [right],
  );
  const after = { modules, screens: rights, actions, fields };
  checkFields(fields, rights, types);
  refuseElevation(session, roleId, before, after, { catalogue, types });
  const changes = differences(before, after);
  if (changes === 0)
    return {
      version: before.role.version,
      users_affected: 0,
      warnings: warningsOf(modules, rights, catalogue),
      changes,
      users: [],
    };
  await write(tx, tenant.schema, roleId, after, catalogue);
  const [row] = await tx.query<{ version: number }>(
    `update ${s}.role set version = version + 1, updated_at = now(), updated_by = $2 where id = $1 returning version`,
    [roleId, userId],
  );
  const version = row!.version;
  await tx.query(
    `insert into ${s}.history (record_type, record_id, version, op, by, what, change) values ('role', $1, $2, 'U', $3, 'rights', $4)`,
    [roleId, version, userId, JSON.stringify({ rights: [null, `${changes} ${changes === 1 ? 'change' : 'changes'}`] })],
  );
  await tx.query(
    `insert into ${s}.role_version (role_id, version_no, snapshot, note, by) values ($1, $2, $3, $4, $5)`,
    [roleId, version, JSON.stringify(after), change.note ?? null, userId],
  );
  const users = await holdersOf(tx, tenant.schema, roleId);
  return { version, users_affected: users.length, warnings: warningsOf(modules, rights, catalogue), changes, users };
}

function merged<K extends string, T extends Record<K, string>>(before: T[], changed: T[], key: K): T[] {
  const all = new Map(before.map((row) => [row[key], row]));
  for (const row of changed) all.set(row[key], row);
  return [...all.values()].sort((a, b) => a[key].localeCompare(b[key]));
}

/** A version from before field rights existed has none. */
export type Snapshot = Pick<RoleRights, 'modules' | 'screens' | 'actions'> & Partial<Pick<RoleRights, 'fields'>>;

/** Differing ticks, scopes, modules and actions. */
function differences(a: Snapshot, b: Snapshot): number {
  const count = (left: string[], right: string[]) =>
    left.filter((one) => !right.includes(one)).length + right.filter((one) => !left.includes(one)).length;
  const ticks = (one: Snapshot) =>
    one.screens.flatMap((right) => [
      ...PAGE_TYPES.filter((page) => right[page]).map((page) => `${right.screen_code} ${page}`),
      `${right.screen_code} ${right.data_scope}`,
    ]);
  const open = (one: Snapshot) =>
    one.modules.map((module) => `${module.module_code} ${module.active} ${module.hide_all}`);
  const kept = (one: Snapshot) => (one.fields ?? []).map((right) => `${right.record_type} ${right.field}`);
  // A changed field restriction is one change.
  const otherwise = (a.fields ?? []).filter((left) =>
    (b.fields ?? []).some(
      (right) => right.record_type === left.record_type && right.field === left.field && right.access !== left.access,
    ),
  ).length;
  return (
    count(ticks(a), ticks(b)) +
    count(open(a), open(b)) +
    count(a.actions, b.actions) +
    count(kept(a), kept(b)) +
    otherwise
  );
}

async function write(
  tx: Queryable,
  schema: string,
  roleId: number,
  { modules, screens: rights, actions, fields }: Required<Snapshot>,
  catalogue: Map<string, ScreenOfMatrix>,
): Promise<void> {
  const s = quoted(schema);
  await tx.query(
    `insert into ${s}.module_rights (role_id, module_code, active, hide_all) select $1, m.module_code, m.active, m.hide_all from jsonb_to_recordset($2::jsonb) as m(module_code text, active boolean, hide_all boolean)
     on conflict (role_id, module_code) do update set active = excluded.active, hide_all = excluded.hide_all`,
    [roleId, JSON.stringify(modules)],
  );
  const ids = new Map(
    (
      await tx.query<{ id: number; module_code: string }>(
        `select id, module_code from ${s}.module_rights where role_id = $1`,
        [roleId],
      )
    ).map(({ id, module_code: code }) => [code, id]),
  );
  const active = new Set(
    modules.filter((module) => module.active && !module.hide_all).map((module) => module.module_code),
  );
  // A screen of several modules counts through an open one, if any.
  const moduleOf = (code: string): number | null => {
    const own = catalogue.get(code)?.modules ?? [];
    const chosen = own.find((module) => active.has(module)) ?? own.find((module) => ids.has(module));
    return chosen === undefined ? null : (ids.get(chosen) ?? null);
  };
  const rows = rights.map((right) => ({ ...right, modules_rights_id: moduleOf(right.screen_code) }));
  await tx.query(`delete from ${s}.screen_rights where role_id = $1`, [roleId]);
  await tx.query(
    `insert into ${s}.screen_rights (role_id, modules_rights_id, screen_code, ${PAGE_TYPES.join(', ')}, data_scope)
     select $1, r.modules_rights_id, r.screen_code, ${PAGE_TYPES.map((page) => `r.${page}`).join(', ')}, r.data_scope
     from jsonb_to_recordset($2::jsonb) as r(modules_rights_id bigint, screen_code text, ${PAGE_TYPES.map((page) => `${page} boolean`).join(', ')}, data_scope text)`,
    [roleId, JSON.stringify(rows)],
  );
  await tx.query(`delete from ${s}.role_action where role_id = $1 and action_code <> all($2)`, [roleId, actions]);
  await tx.query(
    `insert into ${s}.role_action (role_id, action_code) select $1, unnest($2::text[]) on conflict do nothing`,
    [roleId, actions],
  );
  await tx.query(`delete from ${s}.field_right where role_id = $1`, [roleId]);
  if (fields.length > 0)
    await tx.query(
      `insert into ${s}.field_right (role_id, record_type, field, access) select $1, f.record_type, f.field, f.access from jsonb_to_recordset($2::jsonb) as f(record_type text, field text, access text)`,
      [roleId, JSON.stringify(fields)],
    );
}

/** A role was written outside the engine, with its history: sessions and webhooks are notified on commit. */
export async function announceRole(tx: Queryable, schema: string, roleId: number): Promise<void> {
  await announceRights(tx, schema);
  await queueWebhooks(tx, schema, [['role', roleId]]);
}

/** Ticks of a role that have no effect. */
export function warningsOf(
  modules: ModuleRight[],
  rights: ScreenRight[],
  catalogue: Map<string, ScreenOfMatrix>,
): string[] {
  return rightsWarnings(modules, rights, catalogue, (code) => MODULE_NAMES[code] ?? code);
}

async function stale(tx: Queryable, { schema }: Tenant, before: RoleRights): Promise<AppError> {
  const s = quoted(schema);
  const [last] = await tx.query<{ name: string | null; at: string }>(
    `select u.name, h.at from ${s}.history h left join ${s}.users u on u.id = h.by where h.record_type = 'role' and h.record_id = $1 order by h.id desc limit 1`,
    [before.role.id],
  );
  return new AppError(409, 'stale_version', `${last?.name ?? 'Somebody'} changed this role in the meantime.`, {
    extra: { changed_by: last?.name ?? null, changed_at: last?.at ?? null, theirs: before },
  });
}

/** Users who hold a role in any company. */
export async function holdersOf(on: Queryable, schema: string, roleId: number): Promise<number[]> {
  const s = quoted(schema);
  const rows = await on.query<{ id: number }>(
    `select distinct u.id from ${s}.users__companies c join ${s}.users u on u.id = c.parent_id where $1 = any(c.role_ids) and u.active and u.status <> 'disabled' order by u.id`,
    [roleId],
  );
  return rows.map(({ id }) => id);
}

/** Creates a role with the rights of another. @returns its id */
export async function copyRole(
  session: Session,
  roleId: number,
  name: string,
  copied: (tx: Queryable, id: number) => Promise<void>,
): Promise<number> {
  const { tenant, userId } = session;
  const s = quoted(tenant.schema);
  return tenant.db.transaction(async (tx) => {
    const model = await readRoleRights(tx, tenant.schema, roleId);
    const [row] = await tx.query<{ id: number }>(
      `insert into ${s}.role (code, role_name, description, is_system, template_code, landing_route, home_dashboard, created_by, updated_by)
       select $2, $3, description, false, template_code, landing_route, home_dashboard, $4, $4 from ${s}.role where id = $1 returning id`,
      [roleId, await freeCode(tx, s, model.role.code), name, userId],
    );
    const id = row!.id;
    await tx.query(
      `insert into ${s}.module_rights (role_id, module_code, active, hide_all) select $2, module_code, active, hide_all from ${s}.module_rights where role_id = $1`,
      [roleId, id],
    );
    await tx.query(
      `insert into ${s}.screen_rights (role_id, modules_rights_id, screen_code, ${PAGE_TYPES.join(', ')}, data_scope)
       select $2, n.id, x.screen_code, ${PAGE_TYPES.map((page) => `x.${page}`).join(', ')}, x.data_scope from ${s}.screen_rights x
       left join ${s}.module_rights o on o.id = x.modules_rights_id left join ${s}.module_rights n on n.role_id = $2 and n.module_code = o.module_code where x.role_id = $1`,
      [roleId, id],
    );
    await tx.query(
      `insert into ${s}.role_action (role_id, action_code) select $2, action_code from ${s}.role_action where role_id = $1`,
      [roleId, id],
    );
    await tx.query(
      `insert into ${s}.field_right (role_id, record_type, field, access) select $2, record_type, field, access from ${s}.field_right where role_id = $1`,
      [roleId, id],
    );
    await tx.query(
      `insert into ${s}.history (record_type, record_id, version, op, by, what) values ('role', $1, 1, 'I', $2, 'copy')`,
      [id, userId],
    );
    await announceRole(tx, tenant.schema, id);
    await copied(tx, id);
    return id;
  });
}

async function freeCode(tx: Queryable, s: string, code: string): Promise<string> {
  const taken = new Set(
    (await tx.query<{ code: string }>(`select upper(code) as code from ${s}.role`)).map((row) => row.code),
  );
  for (let n = 2; ; n++) if (!taken.has(`${code}_${n}`.toUpperCase())) return `${code}_${n}`.slice(0, 30);
}

/** A screen on which two sets of rights differ. */
export interface ScreenDifference {
  screen_code: string;
  name: string;
  left: ScreenRight | null;
  right: ScreenRight | null;
}

export interface RightsDifference {
  screens: ScreenDifference[];
  modules: { module_code: string; module_name: string; left: ModuleRight | null; right: ModuleRight | null }[];
  actions: { code: string; left: boolean; right: boolean }[];
  fields: { record_type: string; field: string; left: FieldAccess; right: FieldAccess }[];
}

/** The differences between two roles, or two versions of one. */
export function compareRights(left: Snapshot, right: Snapshot, screens: ScreenOfMatrix[]): RightsDifference {
  const names = new Map(screens.map((screen) => [screen.screen_code, screen.name]));
  const paired = <T>(a: T[], b: T[], key: (row: T) => string) => {
    const [one, other] = [new Map(a.map((row) => [key(row), row])), new Map(b.map((row) => [key(row), row]))];
    return [...new Set([...one.keys(), ...other.keys()])]
      .sort()
      .map((code) => ({ code, left: one.get(code) ?? null, right: other.get(code) ?? null }));
  };
  const ticked = (rows: ScreenRight[]) => rows.filter(anyPage);
  return {
    screens: paired(ticked(left.screens), ticked(right.screens), (row) => row.screen_code)
      .filter(
        ({ left: a, right: b }) =>
          !a || !b || a.data_scope !== b.data_scope || PAGE_TYPES.some((page) => a[page] !== b[page]),
      )
      .map(({ code, ...pair }) => ({ screen_code: code, name: names.get(code) ?? code, ...pair })),
    modules: paired(left.modules, right.modules, (row) => row.module_code)
      .filter(
        ({ left: a, right: b }) =>
          (a?.active ?? false) !== (b?.active ?? false) || (a?.hide_all ?? false) !== (b?.hide_all ?? false),
      )
      .map(({ code, ...pair }) => ({ module_code: code, module_name: MODULE_NAMES[code] ?? code, ...pair })),
    actions: paired(left.actions, right.actions, (code) => code)
      .filter((pair) => pair.left === null || pair.right === null)
      .map(({ code, left: a, right: b }) => ({ code, left: a !== null, right: b !== null })),
    fields: paired(left.fields ?? [], right.fields ?? [], (row) => `${row.record_type} ${row.field}`)
      .filter(({ left: a, right: b }) => a?.access !== b?.access)
      .map(({ left: a, right: b }) => ({
        record_type: (a ?? b)!.record_type,
        field: (a ?? b)!.field,
        left: a?.access ?? 'write',
        right: b?.access ?? 'write',
      })),
  };
}
