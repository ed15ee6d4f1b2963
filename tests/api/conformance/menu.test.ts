import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MenuNode, Screen } from '../../../src/descriptor/types.ts';
import type { MenuFile, MenuItem } from '../../../src/server/platform/menu/menu.ts';
import type { HomeAnswer } from '../../../src/domain/home.ts';
import { WAITING_KINDS } from '../../../src/domain/home.ts';
import type { World } from '../world.ts';
import { DEMO_PASSWORD } from '../demo_template.ts';
import { productScreens, startWorld } from '../world.ts';

const root = join(import.meta.dirname, '../../..');
const menuFile = JSON.parse(readFileSync(join(root, 'schemas/menu.json'), 'utf8')) as MenuFile;
const { pages: written } = JSON.parse(readFileSync(join(root, 'schemas/pages.json'), 'utf8')) as {
  pages: Record<string, Page>;
};
/** The pages that are code, and the dashboards that are data. */
const pages: Record<string, Page> = {
  ...written,
  ...Object.fromEntries(
    [...(await productScreens()).dashboards.values()].map(({ route, access }): [string, Page] => [
      route,
      {
        screen: access.screens,
        product: access.products,
        module: access.modules,
        ...(access.action !== null && { action: access.action }),
      },
    ]),
  ),
};

interface Page {
  open?: string;
  screen?: string[];
  page?: string;
  product?: string[];
  module?: string[];
  action?: string;
}

/**
 * The menu tree of the specification, section 2: group → addresses. Holidays stand under Settings alone, and terms and
 * conditions under Masters: each page has one place.
 */
const SPECIFIED: Record<string, string> = {
  home: '/show_list /dashboard_landing /BoardDashBoard /SecretaryBoard /Healthcheck_Dashboards /Healthcheck_Dashboards_financial /Healthcheck_Dashboards_operational /checklist_Template_page /media /media_page',
  strategy: `/health_check_invite_new /admin_homescreen_operational /admin_health_check_homescreen /business_plan /set_strategy /budget_new /actual_new /budget_vs_actual_reports
    /what_if_landing /financials_landing /combination_of_masters /field_creation_template /what_if_landing_dynamic /coa_landing /audit_risk_matrix_view_new
    /kpi_impact_landing /kpi_impact_tree /kpi_impact_tree_new /kpi_bullseye_new /budget /actual /budget_reports /actual_reports`,
  team: `/org_ui_new /kpi_additions /actual_ViewLanding /employee_kpi /set_target_ViewLanding /set_weightage /scorecard_new /scorecard_board /feedback_dashboards
    /kpi_role_ack_report /kpi_overall_ack_report /kpi_summary_reports`,
  act: `/MainChecklist /checklist_new /myTasks /showlist_all_report /ticket /SlaScore /tickets_report /walkins_age_master /walkin/landing /walkins/reports /feedback/reports /walkins_dashboard
    /visits/landing /visitReport /attendance_landing /visits/attendance_report /visit-log-reports /survey_new /type_of_questionaire /survey_reports
    /case_based_workflow /workflow_landing /forms_master /meetings_new /polls /document_repository /statutory_acts /forms_master_new /forms_transactions
    /audit_process /audit_sub_process /audit_risk_type /audit_control_type /audit_likelihood /audit_impact /audit_controls /audit_risk /audit_work_flow_creator`,
  review: '/kpi_bots /kpi_bots_common_analytics /jewellery_dashboard_alagar /jewellery_dashboard_vbj /sales_dashboard',
  reward: `/appraisal_landing /my_scorecard /Appraisaltrend /targetandactual /cumulative_actuals_targets_report /apparaisal_rating_report /Emp_KPI_Rating_Report /new_appraisal_detail_report
    /incentives /set_frequency /incentive_report`,
  board:
    '/EmployeeDashBoard /CommitteeDashboard /Board_Designation /BoardUnits /board_types /board_positions /dashboard_compliance /dashboard_compliance_task',
  masters: `/branch /department /segment /skillsgroup /competencies /function /designation /Delegation /employee_grade /employee /subdepartment /region /subregion/landing /business_type/landing
    /zone/landing /district/landing /outlet/landing /distinct_role_assignments /serviceCategory /service /Uom /kpi_type /Target_type /Channel /Subchannel /Division /Subdivision /category /store
    /performance_rating /incentive /appraisal_launch /occasion/landing /wlk_campaign /visittype /customer /PurposeOfMeeting /objective /strategy /weight_range /terms_and_conditions
    /terms_group /reason /design /customer_designation /payment_received_mstr /receipt_narrations /configuration_landing /usermanual_master /api_config_landing /mail_config_setting
    /customer/target /customer/target/report`,
  settings: `/holiday /weekoff /role /esclation /slab /employee_field_setting /media_page_config_landing /Trigger_Analytics /health_check_config_landing /users /password_portal
    /rating_setting /base_performance /calc_settings /detailed_kpi_config /walkin/feedback /sales_landing /designation_setting
    /policy_definition /TicketDefinition /approval_list /fms_dashboard_roles /fms_dashboard`,
  admin: `/admin_landing /client /Assets /image /product /blog /blog_sect_categ /Industry /process /kpiroles /tkt_service_category /admin_function_landing /admin_skills_group_landing
    /admin_competencies_landing /admin_dept_landing /admin_desig_landing /admin_role_assignments_group /modules /lead_source_landing /campaign_landing /lead_landing /bench_marking /Common_user
    /user_type /partner /common_rights /dashboard_oro /oasisdashboard`,
};

const below = (item: MenuItem): MenuItem[] => [item, ...(item.children ?? []).flatMap(below)];
const all = menuFile.items.flatMap(below);

describe('schemas/menu.json', () => {
  it.each(Object.keys(SPECIFIED))('has every entry of the specification under %s', (group) => {
    const has = new Set(below(menuFile.items.find(({ code }) => code === group)!).map(({ route }) => route));
    expect(SPECIFIED[group]!.split(/\s+/).filter((route) => !has.has(route))).toEqual([]);
  });

  it('calls the groups as standard and board hosts do', () => {
    const names = Object.fromEntries(menuFile.items.map((item) => [item.code, [item.name, item.board_name]]));
    expect(names).toMatchObject({
      strategy: ['Strategy', 'Performance'],
      team: ['Team', 'Accountability'],
      act: ['Act', 'Governance'],
    });
    expect(menuFile.items.find(({ code }) => code === 'review')?.name).toBe('Review');
    expect(menuFile.items.find(({ code }) => code === 'reward')?.name).toBe('Reward');
  });

  it('keeps the older budget addresses out of sight, and the SOP entries, which have no address', () => {
    for (const route of ['/budget', '/actual', '/budget_reports', '/actual_reports'])
      expect(all.filter((item) => item.route === route).every((item) => item.hidden)).toBe(true);
    expect(all.find(({ code }) => code === 'act.sop')).toMatchObject({
      hidden: true,
      children: [{ name: 'Process Flow' }, { name: 'Policies' }, { name: 'DOA Matrix' }],
    });
  });

  it('has each page once, under the title of its list', async () => {
    const { screens: served } = await productScreens();
    const routes = all.flatMap(({ route, hidden }) => (route === undefined || hidden ? [] : [pathOf(route)]));
    expect(routes.filter((route, at) => routes.indexOf(route) !== at)).toEqual([]);
    const titles = new Map([...served.values()].map((one) => [one.routes.landing, one.plural]));
    expect(
      all.flatMap(({ name, route = '' }) => {
        const title = titles.get(pathOf(route));
        return title !== undefined && name !== undefined && name !== title ? [`${route}: ${name}, ${title}`] : [];
      }),
    ).toEqual([]);
  });

  it('has My Zone', () => {
    expect(menuFile.my_zone?.map(({ route }) => route?.split('?')[0])).toEqual([
      '/myTasks',
      '/ticket',
      '/survey_new',
      '/walkin/landing',
      '/visits/landing',
      '/showlist_all_report',
    ]);
  });
});

let world: World;
let screens: Screen[];

beforeAll(async () => {
  world = await startWorld({ demo: true });
  screens = [...world.screens.values()];
});
afterAll(() => world.close());

const pathOf = (route: string) => route.split('?')[0]!;

/** What a user holds, read from the tables and not from the product's own rights. */
interface Held {
  isAdmin: boolean;
  flags: string[];
  products: Set<string>;
  modules: Set<string>;
  /** Screen code and page type. */
  screens: Set<string>;
  actions: Set<string>;
}

async function heldBy(username: string): Promise<Held> {
  const db = world.database.directory.main;
  const [user] = await db.query<{
    is_admin: boolean;
    chairman_flag: boolean;
    ceo_flag: boolean;
    secretary_flag: boolean;
    products: string[];
    roles: number[];
  }>(
    `select u.is_admin, u.chairman_flag, u.ceo_flag, u.secretary_flag, u.products,
       (select c.role_ids from cmp_demo.users__companies c where c.parent_id = u.id order by c.is_default desc limit 1) as roles from cmp_demo.users u where u.username = $1`,
    [username],
  );
  const [client] = await db.query<{ products: string[] }>(
    `select products from public.client where sub_domain = 'demo'`,
  );
  const open = await db.query<{ id: number; module_code: string }>(
    'select id, module_code from cmp_demo.module_rights where role_id = any($1) and active and not hide_all',
    [user!.roles],
  );
  const ticks = await db.query<Record<string, boolean | string>>(
    'select * from cmp_demo.screen_rights where role_id = any($1) and modules_rights_id = any($2)',
    [user!.roles, open.map(({ id }) => id)],
  );
  const actions = await db.query<{ action_code: string }>(
    'select action_code from cmp_demo.role_action where role_id = any($1)',
    [user!.roles],
  );
  const bare = (code: string) => code.replace(/^MS_/, '');
  return {
    isAdmin: user!.is_admin,
    flags: (['chairman', 'ceo', 'secretary'] as const).filter((flag) => user![`${flag}_flag`]),
    products: new Set(
      client!.products
        .map(bare)
        .filter((code) => user!.products.length === 0 || user!.products.map(bare).includes(code)),
    ),
    modules: new Set(open.map((row) => row.module_code)),
    screens: new Set(
      ticks.flatMap((row) =>
        ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen']
          .filter((page) => row[page] === true)
          .map((page) => `${String(row.screen_code)} ${page}`),
      ),
    ),
    actions: new Set(actions.map((row) => row.action_code)),
  };
}

/** A report as a page: whoever may open it may run reports. */
function reportAt(path: string): Page | undefined {
  const report = [...world.app.store.reports().values()].find(({ route }) => route === path);
  return (
    report && {
      product: report.access.products,
      module: report.access.modules,
      screen: report.access.screens,
      ...(report.access.action !== null && { action: report.access.action }),
    }
  );
}

/** Section 6, "Menu visibility", for a client's host, and what the server adds: nothing leads where nobody may go. */
function shouldShow(item: MenuItem, held: Held): boolean {
  if (item.hidden || item.iscommononly || item.route === undefined) return false;
  const barred = (item.domains ?? []).filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const wanted = (item.domains ?? []).filter((one) => !one.startsWith('!'));
  if (barred.includes('demo') || (wanted.length > 0 && !wanted.includes('demo'))) return false;
  if (item.needs_flag && !item.needs_flag.some((flag) => held.flags.includes(flag))) return false;
  const any = (codes: string[] | undefined, holds: (code: string) => boolean) =>
    !codes || codes.length === 0 || codes.some(holds);
  const product = (codes?: string[]) => any(codes, (code) => held.products.has(code));
  const module = (codes?: string[]) => held.isAdmin || any(codes, (code) => held.modules.has(code));
  const ticked = (codes: string[] | undefined, page = 'landing') =>
    held.isAdmin || any(codes, (code) => held.screens.has(`${code} ${page}`));
  const path = pathOf(item.route);
  const screen =
    screens.find((one) => one.routes.landing === path) ??
    screens.find((one) => one.hierarchy?.route === path || one.sameAs[path] === 'landing');
  if (screen) {
    const { access } = screen;
    if (screen.scope === 'platform' || !product(access.products)) return false;
    if (access.everyone) return true;
    if (!module(access.modules) || !ticked(access.screens)) return false;
  } else {
    const page = pages[path] ?? reportAt(path);
    if (!page) return false;
    if (page.open === 'admin') return held.isAdmin;
    if (
      page.open === undefined &&
      !(
        product(page.product) &&
        module(page.module) &&
        ticked(page.screen, page.page) &&
        (held.isAdmin || any(page.action ? [page.action] : [], (code) => held.actions.has(code)))
      )
    )
      return false;
  }
  if (item.isnonadmintoshow) return true;
  const access = screen?.access;
  return (
    product(item.product_codes ?? access?.products) &&
    module(item.module_flags ?? access?.modules) &&
    ticked(item.screen_flags ?? access?.screens)
  );
}

/** Signs somebody of the demo company in. @returns the headers of their calls */
async function headersOf(host: string, username: string, chooseCompany = true): Promise<Record<string, string>> {
  const login = await world.inject({
    method: 'POST',
    url: '/api/sessions/login',
    headers: { host },
    payload: { email: username, password: DEMO_PASSWORD, prefix: '' },
  });
  const { token, user_id: userId } = login.json<{ token: string; user_id: number }>();
  const headers = { host, authorization: `Bearer ${token}` };
  if (chooseCompany && !host.startsWith('admin.')) {
    const features = (await world.inject({ url: `/tapi/get_features_by_role/${userId}`, headers })).json<{
      data: { entity_list: { id: number; is_default: boolean }[] }[];
    }>();
    const company = features.data[0]!.entity_list.find((one) => one.is_default) ?? features.data[0]!.entity_list[0];
    await world.inject({ method: 'PUT', url: '/tapi/session/entity', headers, payload: { entity_id: company?.id } });
  }
  return headers;
}

async function menuOf(
  host: string,
  username: string,
  chooseCompany = true,
): Promise<{ tree: MenuNode[]; entries: MenuNode[] }> {
  const headers = await headersOf(host, username, chooseCompany);
  const { tree } = (await world.inject({ url: '/tapi/menu', headers })).json<{ data: { tree: MenuNode[] } }>().data;
  const flat = (nodes: MenuNode[]): MenuNode[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
  return { tree, entries: flat(tree).filter((node) => node.route !== undefined) };
}

const HOSTS = [
  ['standard', 'demo.localhost:3000'],
  ['board-brand', 'board.acme.test'],
] as const;
const USERS = ['employee', 'manager', 'technician', 'chairman', 'admin'];

describe.each(HOSTS)('on a %s host', (variant, host) => {
  it.each(USERS)('%s sees exactly the entries of section 6', async (username) => {
    const [{ tree, entries }, held] = await Promise.all([menuOf(host, username), heldBy(username)]);
    const listed = new Set(all.map(({ code }) => code));
    expect(
      entries
        .map(({ code }) => code)
        .filter((code) => listed.has(code))
        .sort(),
    ).toEqual(
      all
        .filter((item) => shouldShow(item, held))
        .map(({ code }) => code)
        .sort(),
    );
    // Groups show with a child alone, and under the words of the host.
    const groups = (nodes: MenuNode[]): MenuNode[] => nodes.flatMap((node) => [node, ...groups(node.children ?? [])]);
    expect(groups(tree).filter((node) => node.route === undefined && !node.children?.length)).toEqual([]);
    const routes = entries.map(({ route }) => route);
    expect(new Set(routes).size).toBe(routes.length);
    const strategy = tree.find(({ code }) => code === 'strategy');
    if (strategy) expect(strategy.name).toBe(variant === 'standard' ? 'Strategy' : 'Performance');
    expect(entries.filter(({ disabled }) => disabled !== undefined)).toEqual([]);
    for (const node of entries) expect(node.id).toMatch(/^\w{10}$/);
  });
});

describe('each kind of user', () => {
  const codes = async (username: string) =>
    new Set((await menuOf('demo.localhost:3000', username)).entries.map(({ code }) => code));

  it('an employee has Home and own lists, but not organisation, settings or rights', async () => {
    const seen = await codes('employee');
    expect(seen).toContain('home.show_list');
    expect(seen).toContain('team.team_list');
    expect([...seen].filter((code) => /^(settings|admin)\./.test(code))).toEqual([]);
    for (const code of [
      'masters.organisation.branch',
      'masters.organisation.employee',
      'masters.other.configuration_landing',
    ])
      expect(seen).not.toContain(code);
  });

  it('a manager reads the lists of the organisation and has no settings', async () => {
    const seen = await codes('manager');
    expect(seen).toContain('masters.organisation.employee');
    for (const code of ['settings.global.role', 'settings.users.users', 'settings.users.jobs'])
      expect(seen).not.toContain(code);
  });

  it('a technician has the lists of field service, but no settings or rights', async () => {
    const seen = await codes('technician');
    expect([...seen].some((code) => code.startsWith('fms.'))).toBe(true);
    expect([...seen].filter((code) => /^(settings|admin|masters\.organisation\.employee)/.test(code))).toEqual([]);
  });

  it('a chairman has the board’s entries; an administrator without the flag has no board dashboards', async () => {
    expect(await codes('chairman')).toContain('board.boardunits');
    const seen = await codes('admin');
    for (const code of ['settings.global.role', 'settings.users.users', 'masters.organisation.branch'])
      expect(seen).toContain(code);
    for (const code of ['home.boarddashboard', 'home.secretaryboard', 'admin.client']) expect(seen).not.toContain(code);
  });

  it('without a chosen company its lists are greyed, with the reason', async () => {
    const { entries } = await menuOf('demo.localhost:3000', 'admin', false);
    const branch = entries.find(({ code }) => code === 'masters.organisation.branch');
    expect(branch).toMatchObject({ route: '/branch', disabled: 'Choose a company first.' });
    expect(entries.find(({ code }) => code === 'home.show_list')?.disabled).toBeUndefined();
  });

  it('a platform administrator has the admin area and no client screens', async () => {
    const { entries } = await menuOf('admin.localhost:3000', 'platform');
    const seen = entries.map(({ code }) => code);
    expect(seen).toEqual(
      expect.arrayContaining(['home.show_list', 'admin.client', 'admin.common_user', 'admin.product']),
    );
    const common = new Set(
      all
        .filter((item) => item.iscommontoshow || item.iscommononly || item.code.startsWith('admin.'))
        .map(({ code }) => code),
    );
    for (const { route, access } of world.app.store.reports().values())
      if (access.common && access.screens.every((code) => code.startsWith('COMMON_')))
        common.add(`report.${route.slice(1)}`);
    expect(seen.filter((code) => !common.has(code) && !code.startsWith('screen.'))).toEqual([]);
    const served = (route: string) =>
      screens.some((one) => one.scope === 'platform' && one.routes.landing === route) || pages[route] !== undefined;
    for (const item of all.filter(
      ({ code, route }) => code.startsWith('admin.') && route !== undefined && served(pathOf(route)),
    ))
      expect(seen, item.code).toContain(item.code);
  });
});

describe('Home', () => {
  const homeOf = async (username: string) => {
    const headers = await headersOf('demo.localhost:3000', username);
    const answer = await world.inject({ url: '/tapi/home', headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ data: HomeAnswer }>().data;
  };

  it('shows each person only their own open work, each record once, most urgent first', async () => {
    const db = world.database.directory.main;
    const people = ['technician', 'manager', 'chairman', 'accountant', 'admin'];
    for (const who of people) {
      const { waiting, counts } = await homeOf(who);
      const routes = waiting.map(({ route }) => route);
      expect(new Set(routes).size).toBe(routes.length);
      const kinds = waiting.map(({ kind }) => WAITING_KINDS.indexOf(kind));
      expect(kinds).toEqual(kinds.toSorted((a, b) => a - b));
      for (const [kind, { count }] of Object.entries(counts))
        expect(waiting.filter((one) => one.kind === kind)).toHaveLength(count);
    }
    // Whoever is asked by name decides; whoever asked does not.
    const asked = await db.query<{ id: number; username: string }>(
      `select r.id, u.username from cmp_demo.approval_request r join cmp_demo.users u on u.id = any(r.waiting_for_ids)
       where r.state = 'waiting' and r.asked_by_id <> u.id and u.username = any($1)`,
      [people],
    );
    expect(asked.length).toBeGreaterThan(0);
    const [one] = asked;
    const page = `/approval/view/${one!.id}`;
    expect((await homeOf(one!.username)).waiting).toContainEqual(
      expect.objectContaining({ kind: 'decide', route: page }),
    );
    expect((await homeOf('technician')).waiting.map(({ route }) => route)).not.toContain(page);
  });

  it('shows the figures of the role only', async () => {
    const { figures } = await homeOf('admin');
    expect(figures?.tiles.length).toBeGreaterThan(0);
    expect(figures?.answers.map(({ name }) => name)).toEqual(figures?.tiles.map(({ name }) => name));
    // Staff have figures of their own compliance work; those of field service are not theirs.
    expect((await homeOf('employee')).figures?.route).not.toBe('/fms_dashboard');
    expect(figures?.route).toBe('/fms_dashboard');
    // Averages of nothing are left out: the home of a technician shows the figures that there are.
    const answers = (await homeOf('technician')).figures?.answers ?? [];
    const shown = answers.map(({ figures: one }) => one?.rows[0]?.[one.columns[0]!.name]);
    expect(shown).not.toContain(null);
    expect(shown.length).toBeGreaterThan(0);
  });

  it('names what is due by all its labels, with months as people read them', async () => {
    const due = (await homeOf('manager')).waiting.filter(({ what }) => what.startsWith('KPI update is due'));
    expect(due.length).toBeGreaterThan(0);
    for (const { label } of due) expect(label).toMatch(/ · [A-Z][a-z]{2} \d{4} · \p{L}/u);
  });
});

describe('the board dashboard', () => {
  it('has a cell for each likelihood and impact, whose list has as many risks as the cell counts', async () => {
    const headers = await headersOf('demo.localhost:3000', 'chairman');
    let counted = 0;
    for (const filters of [{}, { company: 'all' }]) {
      const asked = await world.inject({
        method: 'POST',
        url: '/tapi/dashboard/board_dashboard',
        headers,
        payload: { tiles: ['risks'], filters },
      });
      const { tiles } = asked.json<{
        data: { tiles: { figures: { rows: { likelihood: string; impact: string; n: number; n__to: string }[] } }[] };
      }>().data;
      const { rows } = tiles[0]!.figures;
      expect(new Set(rows.map(({ likelihood, impact }) => `${likelihood} ${impact}`)).size).toBe(rows.length);
      for (const { n, n__to: to } of rows) {
        const list = await world.inject({ url: `/tapi${to}&size=100`, headers });
        expect(list.statusCode, list.body).toBe(200);
        expect(list.json<{ data: object[] }>().data).toHaveLength(n);
        counted += n;
      }
    }
    expect(counted).toBeGreaterThan(0);
  });

  it('counts what customers owe on the last day of the chosen month as the report of dues does, to which it leads', async () => {
    const headers = await headersOf('demo.localhost:3000', 'chairman');
    const tileOf = async (filters: object) =>
      (
        await world.inject({
          method: 'POST',
          url: '/tapi/dashboard/board_dashboard',
          headers,
          payload: { tiles: ['outstanding'], filters: { company: '1', ...filters } },
        })
      ).json<{ data: { day?: string; tiles: { opens: string; figures: { rows: { outstanding: string }[] } }[] } }>()
        .data;
    const month = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 7);
    const [now, then] = [await tileOf({}), await tileOf({ month })];
    // Of all companies together too.
    const all = await tileOf({ company: 'all' });
    expect(all.tiles[0]!.opens).toContain('company=all');
    expect(then.day).toMatch(month);
    const [sum, sumThen] = [now, then].map(({ tiles }) => Number(tiles[0]!.figures.rows[0]!.outstanding));
    expect(sumThen).not.toBe(sum);
    for (const { tiles } of [now, then, all]) {
      const query = tiles[0]!.opens.split('?')[1]!;
      const report = await world.inject({
        url: `/tapi/report/outstanding/rows?${query}`,
        headers: await headersOf('demo.localhost:3000', 'admin'),
      });
      expect(report.statusCode, report.body).toBe(200);
      const { figures } = report.json<{ data: { figures: { title: string; value: string }[] } }>().data;
      const said = figures.find(({ title }) => title === 'Outstanding')!.value.replaceAll(/[^\d.-]/g, '');
      expect(Number(said)).toBe(Number(tiles[0]!.figures.rows[0]!.outstanding));
    }
  });

  it('finds members by their name, and leads to their profile', async () => {
    const headers = await headersOf('demo.localhost:3000', 'chairman');
    const { tiles } = (await world.inject({ url: '/tapi/dashboard/board_dashboard', headers })).json<{
      data: { tiles: { name: string; kind: string; opens?: string }[] };
    }>().data;
    expect(tiles.find(({ name }) => name === 'find_member')).toMatchObject({
      kind: 'search',
      opens: '/scorecard_board?employee_id=:id',
    });
    const db = world.database.directory.main;
    const [member] = await db.query<{ id: number; name: string }>(
      `select id, name from cmp_demo.employee where entity_id = 1 and status = 'active' order by id desc limit 1`,
    );
    const found = await world.inject({
      url: `/tapi/employee/options?q=${encodeURIComponent(member!.name)}`,
      headers,
    });
    expect(found.statusCode, found.body).toBe(200);
    expect(found.json<{ data: { id: number }[] }>().data.map(({ id }) => id)).toContain(member!.id);
  });
});

describe('the dashboard of a committee', () => {
  const callAs = async (username: string, body?: object) => {
    const headers = await headersOf('demo.localhost:3000', username);
    return body === undefined
      ? world.inject({ url: '/tapi/dashboard/at?route=/CommitteeDashboard', headers })
      : world.inject({ method: 'POST', url: '/tapi/dashboard/committee_board', headers, payload: body });
  };

  it('opens for a member of the unit who has no other right to the board, and shows the own units alone', async () => {
    const db = world.database.directory.main;
    const units = await db.query<{ id: number; name: string; sits: boolean }>(
      `select u.id, u.name, a.id = any(u.member_user_ids) as sits from cmp_demo.board_unit u
       join cmp_demo.users a on a.username = 'manager' where u.entity_id = 1 and u.state = 'constituted'`,
    );
    const [own, other] = [units.filter(({ sits }) => sits), units.find(({ sits }) => !sits)!];
    expect(own.length).toBeGreaterThan(0);
    expect((await callAs('manager')).statusCode).toBe(200);
    for (const { id, name } of own) {
      const { tiles } = (await callAs('manager', { filters: { unit: String(id) } })).json<{
        data: { tiles: { name: string; problem?: string; figures?: { rows: object[]; note?: string } }[] };
      }>().data;
      const members = tiles.find((tile) => tile.name === 'members')?.figures;
      expect([members?.note, members!.rows.length > 0]).toEqual([name, true]);
      expect(tiles.filter(({ problem }) => problem !== undefined)).toEqual([]);
    }
    const refused = await callAs('manager', { filters: { unit: String(other.id) } });
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('You do not sit in this unit.')]);
    // Without a choice the page says which of the own units it shows.
    const begun = (await callAs('manager', { tiles: [] })).json<{ data: { filters: { unit: number } } }>().data;
    expect(own.map(({ id }) => id)).toContain(begun.filters.unit);
  });

  it('shows the open risks of the kinds that the unit oversees and of those below them, the worst first', async () => {
    const db = world.database.directory.main;
    const [unit] = await db.query<{ id: number; kinds: number[] }>(
      `select id, risk_type_ids as kinds from cmp_demo.board_unit where code = 'RISK'`,
    );
    const types = await db.query<{ id: number; parent_id: number | null }>(
      'select id, parent_id from cmp_demo.audit_risk_type',
    );
    const isOverseen = (kind: number | null): boolean =>
      kind !== null &&
      (unit!.kinds.includes(kind) || isOverseen(types.find(({ id }) => id === kind)?.parent_id ?? null));
    const risks = await db.query<{ id: number; kind: number; score: number }>(
      `select id, risk_type_id as kind, coalesce(assessed_score, inherent_score) as score from cmp_demo.audit_risk
       where entity_id = 1 and active and status <> 'closed'`,
    );
    const worst = risks
      .filter(({ kind }) => isOverseen(kind))
      .toSorted((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, 12);
    expect(worst.some(({ kind }) => !unit!.kinds.includes(kind))).toBe(true);
    expect(worst.length).toBeLessThan(risks.length);
    const asked = await callAs('admin', { tiles: ['unit_risks'], filters: { unit: String(unit!.id) } });
    const { tiles } = asked.json<{ data: { tiles: { figures: { rows: { risk_id: number }[] } }[] } }>().data;
    expect(tiles[0]!.figures.rows.map(({ risk_id: id }) => id)).toEqual(worst.map(({ id }) => id));
  });

  it('stays closed for others', async () => {
    expect((await callAs('technician')).statusCode).toBe(403);
  });
});
