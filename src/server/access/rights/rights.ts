import { codeTitle } from '../../../domain/code_title.ts';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { FieldAccess, FieldRightOfRole } from '../../../domain/field_access.ts';
import { fieldAccessOf } from '../../../domain/field_access.ts';
import type { DataScope, Refusal, Rights } from '../context.ts';
import type { CatalogueView } from '../../db/tenant.ts';

/** One role's grants in the session's company. */
export interface RoleGrants {
  modules: { code: string; active: boolean; hideAll: boolean }[];
  screens: ({ code: string; module: string | null; scope: DataScope } & Record<PageType, boolean>)[];
  actions: string[];
}

/** The roles' field rights and, by screen code, which roles give the screen. */
export interface FieldGrants {
  rights: FieldRightOfRole[];
  grantors: ReadonlyMap<string, readonly number[]>;
}

/** The input from which rights are compiled. */
export interface GrantSet {
  isAdmin: boolean;
  version: number;
  /** Product suffixes that the client has bought. */
  clientProducts: string[];
  /** The user's own; empty = all of the client's. */
  userProducts: string[];
  roles: RoleGrants[];
  /** Absent = no role restricts a field. */
  fields?: FieldGrants;
  /** By product suffix, why a purchased product can no longer be used. */
  ended?: Record<string, string>;
  /** The platform's changes to the shipped catalogue. */
  catalogue?: CatalogueView;
}

export const PAGE_TYPES: PageType[] = [
  'landing',
  'add_screen',
  'edit_screen',
  'view_screen',
  'approval_screen',
  'transfer_screen',
];

const PAGE_WORDS: Record<PageType, string> = {
  landing: 'List',
  add_screen: 'Add',
  edit_screen: 'Edit',
  view_screen: 'View',
  approval_screen: 'Approve',
  transfer_screen: 'Transfer',
};

const WIDTH: Record<DataScope, number> = { own: 0, team: 1, branch: 2, company: 3, all_companies: 4 };

/** `MS_FMS` and `FMS` are the same product. */
export function productSuffix(code: string): string {
  return code.startsWith('MS_') ? code.slice(3) : code;
}

/** The user's products: the client's, restricted to the user's own if there are any. */
export function effectiveProducts(clientProducts: string[], userProducts: string[]): Set<string> {
  const bought = clientProducts.map(productSuffix);
  const own = new Set(userProducts.map(productSuffix));
  return new Set(own.size === 0 ? bought : bought.filter((product) => own.has(product)));
}

interface ScreenGrant {
  pages: Set<PageType>;
  scope: DataScope;
}

/** The wider of two row scopes. */
export function widest(a: DataScope, b: DataScope): DataScope {
  return WIDTH[a] >= WIDTH[b] ? a : b;
}

/** The union of the roles' grants; a role gives a screen only if its own module is active and not hidden. */
function unite(
  roles: RoleGrants[],
  catalogue: CatalogueView | undefined,
): { modules: Set<string>; screens: Map<string, ScreenGrant>; actions: Set<string> } {
  const modules = new Set<string>();
  const screens = new Map<string, ScreenGrant>();
  const actions = new Set<string>();
  for (const role of roles) {
    const open = new Set(
      role.modules
        .filter((module) => module.active && !module.hideAll && !catalogue?.modulesOff.has(module.code))
        .map((module) => module.code),
    );
    for (const module of open) modules.add(module);
    for (const action of role.actions) actions.add(action);
    for (const screen of role.screens) {
      if (screen.module === null ? open.size === 0 : !open.has(screen.module)) continue;
      const pages = PAGE_TYPES.filter((page) => screen[page]);
      if (pages.length === 0 || catalogue?.screensOff.has(screen.code)) continue;
      const grant = screens.get(screen.code);
      if (grant === undefined) screens.set(screen.code, { pages: new Set(pages), scope: screen.scope });
      else {
        for (const page of pages) grant.pages.add(page);
        grant.scope = widest(grant.scope, screen.scope);
      }
    }
  }
  return { modules, screens, actions };
}

/** Rights of the session, with further queries for the menu. */
export interface CompiledRights extends Rights {
  products: Set<string>;
  modules: Set<string>;
  actions: Set<string>;
  /** True when one of the screen codes has the page; no codes = true. */
  holds(codes: string[], page: PageType): boolean;
  holdsProduct(codes: string[]): boolean;
  holdsModule(codes: string[]): boolean;
  /** Whether everybody may open the screen for their own records. */
  everyone(screen: Screen): boolean;
  /** The restricted fields of a type for this person, with the remaining access. */
  fieldAccess(screen: Screen): ReadonlyMap<string, Exclude<FieldAccess, 'write'>>;
  /** Whether there are any such fields. */
  readonly restricted: boolean;
  /** Every screen code with its pages, for the client's display cache. */
  screens(): Map<string, { pages: Set<PageType>; scope: DataScope }>;
}

const NOTHING_KEPT: ReturnType<CompiledRights['fieldAccess']> = new Map();

const FULL: ReadonlySet<PageType> = new Set(PAGE_TYPES);

/** Checks in the order product, module, screen, page type; the first layer that refuses is the reason. */
export function compileRights(grants: GrantSet): CompiledRights {
  const { isAdmin, catalogue } = grants;
  const version = grants.version + (catalogue?.stamp ?? 0);
  const products = effectiveProducts(grants.clientProducts, grants.userProducts);
  const { modules, screens, actions } = unite(grants.roles, catalogue);

  const holdsProduct = (codes: string[]) =>
    codes.length === 0 || codes.some((code) => products.has(productSuffix(code)));
  const moduleIsOn = (codes: string[]) => codes.length === 0 || codes.some((code) => !catalogue?.modulesOff.has(code));
  const holdsModule = (codes: string[]) =>
    isAdmin ? moduleIsOn(codes) : codes.length === 0 || codes.some((code) => modules.has(code));
  // Of several codes the first is the screen's own.
  const isOff = (codes: string[]) => codes.length > 0 && catalogue?.screensOff.has(codes[0]!) === true;
  const holds = (codes: string[], page: PageType) =>
    !isOff(codes) && (isAdmin || codes.length === 0 || codes.some((code) => screens.get(code)?.pages.has(page)));
  const everyone = ({ access }: Screen) => catalogue?.everyone.get(access.screens[0] ?? '') ?? access.everyone;

  function refuse(screen: Screen, page: PageType): Refusal | null {
    const { access } = screen;
    if (screen.scope === 'platform') return refusal('screen', screen, page, 'platform administrators only');
    const off = catalogue?.screensOff.get(access.screens[0] ?? '');
    if (off !== undefined) return { reason: 'screen', message: off };
    if (!moduleIsOn(access.modules))
      return {
        reason: 'module',
        message: `${access.modules.map((code) => catalogue?.moduleNames.get(code) ?? code).join(' and ')} is switched off on this platform. Ask the platform administrator.`,
      };
    const over = access.products
      .map((code) => grants.ended?.[productSuffix(code)])
      .find((reason) => reason !== undefined);
    if (!holdsProduct(access.products) && over !== undefined) return { reason: 'product', message: over };
    if (!holdsProduct(access.products))
      return refusal('product', screen, page, `product ${access.products.join(' or ')}`);
    // Seeing one's own record gives no right to decide it. Where a team's records are open, the transition names who decides.
    if (isAdmin || (everyone(screen) && (page !== 'approval_screen' || access.team === true))) return null;
    if (!holdsModule(access.modules)) return refusal('module', screen, page, `module ${access.modules.join(' or ')}`);
    const granted = access.screens.map((code) => screens.get(code)).filter((grant) => grant !== undefined);
    if (granted.length === 0) return refusal('screen', screen, page, 'role');
    return granted.some((grant) => grant.pages.has(page)) ? null : refusal('page_type', screen, page, 'role');
  }

  function refuseAction(action: string | null): Refusal | null {
    if (action === null || isAdmin || actions.has(action)) return null;
    return { reason: 'action', message: `You need the right ${codeTitle(action)} (role). Ask your administrator.` };
  }

  function dataScope(screen: Screen): DataScope {
    if (isAdmin) return 'company';
    const granted = holdsModule(screen.access.modules)
      ? screen.access.screens.map((code) => screens.get(code)).filter((grant) => grant !== undefined)
      : [];
    return granted.reduce<DataScope>(
      (scope, grant) => widest(scope, grant.scope),
      screen.access.team && everyone(screen) ? 'team' : 'own',
    );
  }

  const said = isAdmin ? undefined : grants.fields;
  const ofType = Map.groupBy(said?.rights ?? [], (right) => right.record_type);
  const restricted = ofType.size > 0;
  function fieldAccess(screen: Screen): ReturnType<CompiledRights['fieldAccess']> {
    const ofFields = ofType.get(screen.name);
    if (!ofFields) return NOTHING_KEPT;
    return fieldAccessOf(ofFields, new Set(screen.access.screens.flatMap((code) => said?.grantors.get(code) ?? [])));
  }

  return {
    isAdmin,
    version,
    products,
    modules,
    actions,
    everyone,
    refuse,
    refuseAction,
    dataScope,
    holds,
    holdsProduct,
    holdsModule,
    fieldAccess,
    restricted,
    screens: () => screens,
  };
}

function refusal(reason: Refusal['reason'], screen: Screen, page: PageType, layer: string): Refusal {
  return { reason, message: `You need ${PAGE_WORDS[page]} on ${screen.title} (${layer}). Ask your administrator.` };
}

/** Grants implied by the pages of a user type: there are no further ticks for them. */
const OF_PAGES: ReadonlySet<string> = new Set(['CREATE_MASTERS', 'DELETE_RECORDS', 'IMPORT_DATA', 'EXPORT_DATA']);

/** Rights of a platform administrator: common screens only, by the ticks of the user type. */
export function compileCommonRights(grants: {
  isSuper: boolean;
  version: number;
  screens: ({ code: string } & Record<PageType, boolean>)[];
}): CompiledRights {
  const screens = new Map<string, ScreenGrant>();
  for (const row of grants.screens)
    screens.set(row.code, { pages: new Set(PAGE_TYPES.filter((page) => row[page])), scope: 'company' });
  const pagesOf = (code: string): ReadonlySet<PageType> | undefined =>
    grants.isSuper && code.startsWith('COMMON_SCN_') ? FULL : screens.get(code)?.pages;
  const holds = (codes: string[], page: PageType) => codes.some((code) => pagesOf(code)?.has(page));
  return {
    isAdmin: grants.isSuper,
    version: grants.version,
    products: new Set(),
    modules: new Set(),
    actions: new Set(),
    refuse(screen, page) {
      if (screen.scope !== 'platform') return refusal('screen', screen, page, 'a company’s own users only');
      return holds(screen.access.screens, page) ? null : refusal('page_type', screen, page, 'user type');
    },
    refuseAction: (action) =>
      action === null || grants.isSuper || OF_PAGES.has(action)
        ? null
        : {
            reason: 'action',
            message: `You need the right ${codeTitle(action)} (user type). Ask your administrator.`,
          },
    dataScope: () => 'all_companies',
    holds,
    holdsProduct: () => true,
    holdsModule: () => true,
    everyone: () => false,
    fieldAccess: () => NOTHING_KEPT,
    restricted: false,
    screens: () => screens,
  };
}

/** Rights of a session that may only learn why it has none. */
export function noRights(version: number, message: string): CompiledRights {
  const refused: Refusal = { reason: 'screen', message };
  return {
    isAdmin: false,
    version,
    products: new Set(),
    modules: new Set(),
    actions: new Set(),
    refuse: () => refused,
    refuseAction: (action) => (action === null ? null : refused),
    dataScope: () => 'own',
    holds: () => false,
    holdsProduct: () => false,
    holdsModule: () => false,
    everyone: () => false,
    fieldAccess: () => NOTHING_KEPT,
    restricted: false,
    screens: () => new Map(),
  };
}
