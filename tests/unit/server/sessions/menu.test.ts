import type { BespokePage } from '../../../../src/server/access/rights/pages.ts';
import { describe, expect, test } from 'vitest';
import type { Screen } from '../../../../src/descriptor/types.ts';
import type { Environment } from '../../../../src/server/platform/menu/menu.ts';
import type { MenuItem } from '../../../../src/server/platform/menu/menu.ts';
import { buildMenu, menuOf, screenRef, zoneOf } from '../../../../src/server/platform/menu/menu.ts';
import { compileCommonRights, compileRights } from '../../../../src/server/access/rights/rights.ts';
import type { LiveSession } from '../../../../src/server/access/sessions/session_store.ts';

function screen(
  name: string,
  more: Partial<Omit<Screen, 'access'>> & { access?: Partial<Screen['access']> } = {},
): Screen {
  const { access, ...rest } = more;
  return {
    name,
    folder: 'organisation',
    kind: 'master',
    title: name,
    plural: `${name}s`,
    scope: 'tenant',
    hash: name,
    routes: { landing: `/${name}`, add: `/${name}/add`, edit: `/${name}/edit/:id`, view: `/${name}/view/:id` },
    sameAs: {},
    menu: { hidden: false },
    ...rest,
    access: {
      screens: [`SCN_${name.toUpperCase()}`],
      products: [],
      modules: ['MASTERS'],
      action: 'CREATE_MASTERS',
      everyone: false,
      common: false,
      ...access,
    },
  } as unknown as Screen;
}

const landing = {
  landing: true,
  add_screen: false,
  edit_screen: false,
  view_screen: false,
  approval_screen: false,
  transfer_screen: false,
};

function session(codes: string[], more: Partial<LiveSession> = {}): LiveSession {
  return {
    tenant: { schema: 'cmp_acme', subDomain: 'acme' },
    entityId: 1,
    branchId: null,
    flags: { chairman: false, ceo: false, secretary: false },
    rights: compileRights({
      isAdmin: false,
      version: 1,
      clientProducts: ['FMS'],
      userProducts: [],
      roles: [
        {
          modules: [{ code: 'MASTERS', active: true, hideAll: false }],
          screens: codes.map((code) => ({ code, module: 'MASTERS', scope: 'company' as const, ...landing })),
          actions: [],
        },
      ],
    }),
    ...more,
  } as unknown as LiveSession;
}

function shown(
  items: MenuItem[],
  screens: Screen[],
  who: LiveSession,
  environment: Environment = 'production',
  menuVariant: 'standard' | 'board' = 'standard',
): string[] {
  const codes: string[] = [];
  const walk = (nodes: ReturnType<typeof menuOf>) => {
    for (const node of nodes) {
      codes.push(node.code);
      walk(node.children ?? []);
    }
  };
  walk(
    menuOf(buildMenu({ items }, new Map(screens.map((one) => [one.name, one])), pages), {
      session: who,
      environment,
      menuVariant,
    }),
  );
  return codes;
}

const group = (children: MenuItem[], more: Partial<MenuItem> = {}): MenuItem => ({
  code: 'g',
  name: 'Group',
  ...more,
  children,
});
const item = (more: Partial<MenuItem> = {}): MenuItem => ({ code: 'i', name: 'Item', route: '/branch', ...more });

const pages = new Map<string, BespokePage>([
  ['/show_list', { by: 'shell', open: 'everyone' }],
  ['/welcome_page', { by: 'shell', open: 'everyone' }],
  ['/jobs', { by: 'jobs', open: 'admin' }],
  ['/calendar', { by: 'platform', open: 'client' }],
]);

describe('an item of the menu', () => {
  const branch = screen('branch');
  const clerk = session(['SCN_BRANCH']);

  test('shows with product, module and screen; with its group', () => {
    expect(shown([group([item()])], [branch], clerk)).toEqual(['g', 'i']);
    expect(shown([group([item()])], [branch], session([]))).toEqual([]);
  });

  test('never links to nothing, but a built-in page counts', () => {
    expect(shown([group([item({ route: '/nowhere', isnonadmintoshow: true })])], [], clerk)).toEqual([]);
    expect(shown([group([item({ route: '/show_list', isnonadmintoshow: true })])], [], clerk)).toEqual(['g', 'i']);
  });

  test.each<[string, Partial<MenuItem>, boolean]>([
    ['hidden', { hidden: true }, false],
    ['for the admin host only', { iscommononly: true }, false],
    ['hidden in production', { hide_in_production: true }, false],
    ['for another sub-domain', { domains: ['oro'] }, false],
    ['for this sub-domain', { domains: ['acme'] }, true],
    ['for all but this sub-domain', { domains: ['!acme'] }, false],
    ['for all but another', { domains: ['!oro'] }, true],
    ['for the chairman', { needs_flag: ['chairman'] }, false],
    ['for holders of another product', { product_codes: ['PMS'] }, false],
    ['for holders of this product', { product_codes: ['PMS', 'FMS'] }, true],
    ['of another module', { module_flags: ['PLANNING'] }, false],
    ['of another screen code', { screen_flags: ['SCN_OTHER'] }, false],
  ])('%s', (_, more, shows) => {
    expect(shown([item(more)], [branch], clerk)).toEqual(shows ? ['i'] : []);
  });

  test('hidden in production is visible elsewhere', () => {
    expect(shown([item({ hide_in_production: true })], [branch], clerk, 'development')).toEqual(['i']);
  });

  test('for everybody is visible without a right only if the screen itself is', () => {
    expect(shown([item({ isnonadmintoshow: true })], [branch], session([]))).toEqual([]);
    expect(
      shown([item({ isnonadmintoshow: true })], [screen('branch', { access: { everyone: true } })], session([])),
    ).toEqual(['i']);
  });

  test('is greyed, not hidden, where only a company or a branch is missing', () => {
    const menu = (one: Screen, more: Partial<MenuItem>, who: LiveSession) =>
      menuOf(buildMenu({ items: [item(more)] }, new Map([[one.name, one]])), {
        session: who,
        environment: 'production',
        menuVariant: 'standard',
      })[0];
    expect(menu(screen('branch', { scope: 'entity' }), {}, session(['SCN_BRANCH'], { entityId: null }))?.disabled).toBe(
      'Choose a company first.',
    );
    expect(menu(branch, { needs_branch: 'To add a walkin - please map a branch.' }, clerk)?.disabled).toBe(
      'To add a walkin - please map a branch.',
    );
    expect(menu(branch, {}, clerk)?.disabled).toBeUndefined();
  });
});

test('the admin host shows common items and those with common rights', () => {
  const client = screen('client', { scope: 'platform', access: { screens: ['COMMON_SCN_CLIENT'] } });
  const root = session([], {
    tenant: { schema: 'public', subDomain: 'admin' } as LiveSession['tenant'],
    rights: compileCommonRights({ isSuper: true, version: 1, screens: [] }),
  });
  const items = [
    item({ code: 'client', route: '/client', iscommononly: true }),
    item({ code: 'home', route: '/show_list', iscommontoshow: true }),
    item({ code: 'branch' }),
    item({ code: 'calendar', route: '/calendar', iscommontoshow: true, isnonadmintoshow: true }),
  ];
  expect(shown(items, [client, screen('branch')], root)).toEqual(['client', 'home']);
  // A page of clients only is no page of the administration host.
  expect(shown(items, [client, screen('branch')], session(['SCN_BRANCH']))).toContain('calendar');
});

test('a screen without an item appears where its descriptor or folder says', () => {
  const screens = [
    screen('a', { menu: { under: 'named', hidden: false } }),
    screen('b', { folder: 'fms' }),
    screen('c', { folder: 'new_things' }),
    screen('d', { menu: { hidden: true } }),
  ];
  const items: MenuItem[] = [
    { code: 'named', name: 'Named' },
    { code: 'listed', name: 'Listed', folders: ['fms'] },
  ];
  expect(shown(items, screens, session(['SCN_A', 'SCN_B', 'SCN_C', 'SCN_D']))).toEqual([
    'named',
    'screen.a',
    'listed',
    'screen.b',
    'masters',
    'masters.new_things',
    'screen.c',
  ]);
});

test('an older address of a screen counts as the screen', () => {
  expect(
    shown(
      [item({ route: '/old_branch' })],
      [screen('branch', { sameAs: { '/old_branch': 'landing' } })],
      session(['SCN_BRANCH']),
    ),
  ).toEqual(['i']);
});

test('a dashboard that the file lists without a name has its own', () => {
  const dashboard = { by: 'dashboard', screen: ['SCN_BRANCH'], menu: { name: 'Figures', icon: 'Board' } };
  const { roots } = buildMenu(
    {
      items: [
        { code: 'g.figures', route: '/figures' },
        { code: 'g.other', name: 'Other', route: '/figures' },
      ],
    },
    new Map(),
    new Map<string, BespokePage>([['/figures', dashboard]]),
  );
  expect(roots.map(({ name, icon }) => [name, icon])).toEqual([
    ['Figures', 'Board'],
    ['Other', 'Board'],
  ]);
});

test('board hosts use the board’s names', () => {
  const menu = buildMenu(
    { items: [item({ name: 'Team', subtitle: 'Accountability', board_name: 'Accountability' })] },
    new Map([['branch', screen('branch')]]),
  );
  const of = (menuVariant: 'standard' | 'board') =>
    menuOf(menu, { session: session(['SCN_BRANCH']), environment: 'production', menuVariant })[0]!;
  expect([of('standard').name, of('board').name]).toEqual(['Team', 'Accountability']);
  expect([of('standard').subtitle, of('board').subtitle]).toEqual(['Accountability', undefined]);
  expect(of('standard').id).toMatch(/^\w{10}$/);
});

test('actions of a screen need page and action right together', () => {
  const who = (actions: string[], pages: Partial<typeof landing>) =>
    ({
      ...session([]),
      rights: compileRights({
        isAdmin: false,
        version: 1,
        clientProducts: [],
        userProducts: [],
        roles: [
          {
            modules: [{ code: 'MASTERS', active: true, hideAll: false }],
            screens: [{ code: 'SCN_BRANCH', module: 'MASTERS', scope: 'company', ...landing, ...pages }],
            actions,
          },
        ],
      }),
    }) as LiveSession;
  const branch = screen('branch');
  expect(screenRef(session([]), branch)).toBeNull();
  expect(screenRef(who([], { add_screen: true, edit_screen: true }), branch)?.rights).toMatchObject({
    landing: true,
    add_screen: false,
    edit_screen: false,
    write: false,
    import: false,
    export: false,
  });
  expect(
    screenRef(who(['CREATE_MASTERS', 'EXPORT_DATA'], { add_screen: true, edit_screen: true }), branch)?.rights,
  ).toMatchObject({ add_screen: true, edit_screen: true, write: true, remove: false, import: false, export: true });
  expect(
    screenRef(who(['CREATE_MASTERS', 'DELETE_RECORDS', 'IMPORT_DATA'], { add_screen: true, edit_screen: true }), branch)
      ?.rights,
  ).toMatchObject({ remove: true, import: true });
});

test('ids are ten random characters, different at each load', () => {
  const ids = () => buildMenu({ items: [group([item()])] }, new Map([['branch', screen('branch')]]), pages).roots[0]!;
  const [first, second] = [ids(), ids()];
  for (const { id } of [first, second, ...first.children]) expect(id).toMatch(/^[A-Za-z0-9]{10}$/);
  expect(new Set([first.id, second.id, first.children[0]!.id, second.children[0]!.id]).size).toBe(4);
});

describe('My Zone', () => {
  const entry = (more: Partial<MenuItem> = {}): MenuItem => ({
    code: 'mine.branch',
    name: 'My branches',
    icon: 'Building',
    route: '/branch?mine=1',
    screen_flags: ['SCN_BRANCH'],
    ...more,
  });
  const zone = (items: MenuItem[], screens: Screen[], who: LiveSession) =>
    zoneOf(buildMenu({ items: [], my_zone: items }, new Map(screens.map((one) => [one.name, one])), pages), {
      session: who,
      environment: 'production',
      menuVariant: 'standard',
    });
  const branch = screen('branch');

  test('shows permitted entries, with their counted screen', () => {
    expect(zone([entry()], [branch], session(['SCN_BRANCH']))).toEqual([
      { code: 'mine.branch', name: 'My branches', icon: 'Building', route: '/branch?mine=1', screen: branch },
    ]);
    expect(zone([entry()], [branch], session([]))).toEqual([]);
    expect(zone([entry({ product_codes: ['PMS'] })], [branch], session(['SCN_BRANCH']))).toEqual([]);
  });

  test('omits entries without a page and those that do not apply now', () => {
    expect(zone([entry()], [], session(['SCN_BRANCH']))).toEqual([]);
    expect(zone([entry({ needs_branch: 'Map a branch first.' })], [branch], session(['SCN_BRANCH']))).toEqual([]);
    expect(zone([entry({ route: '/show_list', screen_flags: [] })], [], session([]))).toMatchObject([
      { code: 'mine.branch', screen: null },
    ]);
  });

  test('does not remove a screen from the menu', () => {
    const codes: string[] = [];
    const walk = (nodes: ReturnType<typeof menuOf>) => {
      for (const node of nodes) {
        codes.push(node.code);
        walk(node.children ?? []);
      }
    };
    walk(
      menuOf(buildMenu({ items: [], my_zone: [entry()] }, new Map([['branch', branch]]), pages), {
        session: session(['SCN_BRANCH']),
        environment: 'production',
        menuVariant: 'standard',
      }),
    );
    expect(codes).toContain('screen.branch');
  });
});
