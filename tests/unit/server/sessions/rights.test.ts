import { describe, expect, test } from 'vitest';
import type { PageType, Screen } from '../../../../src/descriptor/types.ts';
import type { DataScope } from '../../../../src/server/access/context.ts';
import type { RoleGrants } from '../../../../src/server/access/rights/rights.ts';
import { withDelegations } from '../../../../src/server/access/people/delegations.ts';
import { compileCommonRights, compileRights, effectiveProducts } from '../../../../src/server/access/rights/rights.ts';

const screenOf = (code: string, module: string, products: string[], more: Partial<Screen['access']> = {}): Screen =>
  ({
    name: code.toLowerCase(),
    title: code === 'SCN_BRANCH' ? 'Branch' : 'Lift',
    scope: 'tenant',
    access: {
      screens: [code],
      products,
      modules: [module],
      action: 'CREATE_MASTERS',
      everyone: false,
      common: false,
      ...more,
    },
  }) as unknown as Screen;

const LIFT = screenOf('SCN_FMS_LIFT', 'FMS', ['FMS']);
const EMPLOYEE = screenOf('SCN_EMPLOYEE', 'MASTERS', []);
const BRANCH = screenOf('SCN_BRANCH', 'MASTERS', []);

const NONE: Record<PageType, boolean> = {
  landing: false,
  add_screen: false,
  edit_screen: false,
  view_screen: false,
  approval_screen: false,
  transfer_screen: false,
};
const ALL = Object.fromEntries(Object.keys(NONE).map((page) => [page, true])) as Record<PageType, boolean>;

function role(
  module: string,
  state: { active?: boolean; hideAll?: boolean },
  screens: [code: string, pages: Partial<Record<PageType, boolean>>, scope?: DataScope][],
  actions: string[] = [],
): RoleGrants {
  return {
    modules: [{ code: module, active: state.active ?? true, hideAll: state.hideAll ?? false }],
    screens: screens.map(([code, pages, scope]) => ({ code, module, scope: scope ?? 'company', ...NONE, ...pages })),
    actions,
  };
}

const R1 = role(
  'FMS',
  {},
  [['SCN_FMS_LIFT', { landing: true, add_screen: true, edit_screen: true, view_screen: true }]],
  ['CREATE_MASTERS'],
);
const R2 = role('MASTERS', {}, [['SCN_EMPLOYEE', { landing: true, view_screen: true }]]);
const R3 = role('MASTERS', { hideAll: true }, [['SCN_EMPLOYEE', ALL]], ['CREATE_MASTERS']);
const R4 = role(
  'MASTERS',
  {},
  [
    ['SCN_EMPLOYEE', { edit_screen: true }],
    ['SCN_BRANCH', ALL],
  ],
  ['CREATE_MASTERS'],
);
const R5 = role('FMS', { active: false }, [['SCN_FMS_LIFT', ALL]], ['CREATE_MASTERS']);

interface Row {
  n: number;
  roles: RoleGrants[];
  user: string[];
  client?: string[];
  admin?: boolean;
  screen: Screen;
  page: PageType;
  answer: string;
}

const TABLE: Row[] = [
  { n: 1, roles: [R1], user: ['FMS'], screen: LIFT, page: 'add_screen', answer: 'yes' },
  { n: 2, roles: [R1], user: ['TKT'], screen: LIFT, page: 'landing', answer: 'product' },
  { n: 3, roles: [R1], user: ['FMS'], client: ['TKT'], screen: LIFT, page: 'landing', answer: 'product' },
  { n: 4, roles: [R5], user: ['FMS'], screen: LIFT, page: 'landing', answer: 'module' },
  { n: 5, roles: [R1, R5], user: ['FMS'], screen: LIFT, page: 'edit_screen', answer: 'yes' },
  { n: 6, roles: [R2], user: [], screen: EMPLOYEE, page: 'view_screen', answer: 'yes' },
  { n: 7, roles: [R2], user: [], screen: EMPLOYEE, page: 'edit_screen', answer: 'page_type' },
  { n: 8, roles: [R3], user: [], screen: EMPLOYEE, page: 'landing', answer: 'module' },
  { n: 9, roles: [R2, R3], user: [], screen: EMPLOYEE, page: 'edit_screen', answer: 'page_type' },
  { n: 10, roles: [R2, R4], user: [], screen: EMPLOYEE, page: 'edit_screen', answer: 'yes' },
  { n: 11, roles: [R2], user: [], screen: BRANCH, page: 'landing', answer: 'screen' },
  { n: 12, roles: [], user: ['FMS'], admin: true, screen: LIFT, page: 'add_screen', answer: 'yes' },
  { n: 13, roles: [], user: [], client: ['TKT'], admin: true, screen: LIFT, page: 'add_screen', answer: 'product' },
];

describe('the truth table of rights', () => {
  test.each(TABLE)(
    'row $n: $answer',
    ({ roles, user, client = ['FMS', 'TKT'], admin = false, screen, page, answer }) => {
      const rights = compileRights({ isAdmin: admin, version: 1, clientProducts: client, userProducts: user, roles });
      const writes = page === 'add_screen' || page === 'edit_screen';
      const refusal = rights.refuse(screen, page) ?? (writes ? rights.refuseAction(screen.access.action) : null);
      expect(refusal?.reason ?? 'yes').toBe(answer);
    },
  );
});

const compile = (roles: RoleGrants[], more: Partial<Parameters<typeof compileRights>[0]> = {}) =>
  compileRights({ isAdmin: false, version: 1, clientProducts: ['FMS', 'TKT'], userProducts: [], roles, ...more });

test('a refusal says what is missing and whom to ask', () => {
  expect(compile([R2]).refuse(BRANCH, 'edit_screen')?.message).toBe(
    'You need Edit on Branch (role). Ask your administrator.',
  );
  expect(compile([R2]).refuseAction('CREATE_MASTERS')).toEqual({
    reason: 'action',
    message: 'You need the right Create masters (role). Ask your administrator.',
  });
});

test('any one of several screen codes suffices', () => {
  const make = screenOf('SCN_FMS_MAKE', 'FMS', ['FMS'], { screens: ['SCN_FMS', 'SCN_FMS_MAKE'] });
  expect(compile([role('FMS', {}, [['SCN_FMS', { landing: true }]])]).refuse(make, 'landing')).toBeNull();
  expect(compile([role('FMS', {}, [['SCN_FMS_MAKE', { landing: true }]])]).refuse(make, 'landing')).toBeNull();
  expect(compile([R1]).refuse(make, 'landing')?.reason).toBe('screen');
});

test('a screen for everyone shows own rows, unless a role gives more', () => {
  const everyone = screenOf('SCN_MEDIA', 'COMMON', [], { everyone: true });
  expect(compile([]).refuse(everyone, 'landing')).toBeNull();
  expect(compile([]).refuse(everyone, 'edit_screen')).toBeNull();
  // Whoever decides needs a role for it.
  expect(compile([]).refuse(everyone, 'approval_screen')).toMatchObject({ reason: 'module' });
  expect(compile([]).dataScope(everyone)).toBe('own');
  expect(compile([role('COMMON', {}, [['SCN_MEDIA', { landing: true }, 'branch']])]).dataScope(everyone)).toBe(
    'branch',
  );
});

test('the widest row scope of the roles wins', () => {
  const scoped = (scope: DataScope) => role('MASTERS', {}, [['SCN_EMPLOYEE', { landing: true }, scope]]);
  expect(compile([scoped('own'), scoped('team')]).dataScope(EMPLOYEE)).toBe('team');
  expect(compile([scoped('all_companies'), scoped('own')]).dataScope(EMPLOYEE)).toBe('all_companies');
  expect(compile([], { isAdmin: true }).dataScope(EMPLOYEE)).toBe('company');
});

test('products are the client’s, restricted to the user’s; with or without the platform’s prefix', () => {
  expect([...effectiveProducts(['MS_FMS', 'TKT'], ['FMS', 'PMS'])]).toEqual(['FMS']);
  expect([...effectiveProducts(['FMS'], [])]).toEqual(['FMS']);
});

test('a tenant’s administrator has no platform screens, a platform administrator no tenant’s', () => {
  const client = { ...screenOf('COMMON_SCN_CLIENT', 'COMMON', []), scope: 'platform' } as Screen;
  expect(compile([], { isAdmin: true }).refuse(client, 'landing')?.reason).toBe('screen');
  const common = compileCommonRights({ isSuper: true, version: 1, screens: [] });
  expect(common.refuse(client, 'edit_screen')).toBeNull();
  expect(common.refuse(BRANCH, 'landing')?.reason).toBe('screen');
  const support = compileCommonRights({
    isSuper: false,
    version: 1,
    screens: [{ code: 'COMMON_SCN_CLIENT', ...NONE, landing: true }],
  });
  expect(support.refuse(client, 'landing')).toBeNull();
  expect(support.refuse(client, 'edit_screen')?.reason).toBe('page_type');
});

describe('fields restricted by roles', () => {
  const BAND = { record_type: 'scn_employee', field: 'band', access: 'hidden' as const, role: 1 };
  const keeping = (...rights: (typeof BAND)[]) => ({ fields: { rights, grantors: new Map([['SCN_EMPLOYEE', [1]]]) } });
  const kept = (rights: ReturnType<typeof compile>, screen = EMPLOYEE) =>
    Object.fromEntries(rights.fieldAccess(screen));

  test('apply to their own type, and never to administrators', () => {
    expect([
      kept(compile([R2], keeping(BAND))),
      kept(compile([R2], keeping(BAND)), BRANCH),
      kept(compile([R2])),
    ]).toEqual([{ band: 'hidden' }, {}, {}]);
    const admin = compile([R2], { ...keeping(BAND), isAdmin: true });
    expect([admin.restricted, kept(admin)]).toEqual([false, {}]);
  });

  test('a deputy sees in delegated lists what the delegator sees, and in shared lists the wider scope', () => {
    const lender = (rights: ReturnType<typeof compile>) => ({
      employeeId: 7,
      userId: 7,
      name: 'Asha',
      until: '2026-12-31',
      types: ['scn_employee'],
      limit: null,
      branchIds: [],
      rights,
    });
    const own = { mine: compile([R2], keeping(BAND)), nothing: compile([]) };
    const given = { all: compile([R2]), less: compile([R2], keeping({ ...BAND, access: 'hidden' })) };
    const lent = withDelegations(own.nothing, [lender(given.less)]);
    expect([lent.restricted, kept(lent)]).toEqual([true, { band: 'hidden' }]);
    expect(kept(withDelegations(own.nothing, [lender(given.all)]))).toEqual({});
    expect(kept(withDelegations(own.mine, [lender(given.all)]))).toEqual({});
    expect(kept(withDelegations(own.mine, [lender(given.less)]))).toEqual({ band: 'hidden' });
  });
});
