import { expect, test } from 'vitest';
import { ROLE_TEMPLATES, rightsOf, roleTemplatesFor } from '../../../../src/server/platform/clients/role_templates.ts';
import { FIELD_SERVICE_ROLES } from '../../../../src/server/platform/clients/field_service_roles.ts';
import { fieldRightError } from '../../../../src/descriptor/overlay.ts';
import { readPages, withFigures } from '../../../../src/server/access/rights/pages.ts';
import { product } from '../product.ts';

const { screens, ...figures } = await product;
const pages = withFigures(readPages('schemas'), figures);
const of = (code: string) =>
  rightsOf(
    ROLE_TEMPLATES.find((template) => template.code === code)!,
    screens.values(),
    pages,
  );
const described = new Set([...screens.values()].flatMap(({ access }) => access.screens));
const existing = new Set([...described, ...[...pages.values()].flatMap(({ screen }) => screen ?? [])]);
const ownOfPages = (code: string) =>
  of(code)
    .map(({ screen_code: one }) => one)
    .filter((one) => !described.has(one))
    .sort();

test('shipped roles open the coded pages and the dashboards of their modules, if they have the action', () => {
  const looked = ['SCN_AUDIT', 'SCN_FMS_DASHBOARD', 'SCN_JOBS', 'SCN_PASSWORD_PORTAL'];
  const opened = (code: string) => ownOfPages(code).filter((one) => looked.includes(one));
  expect(Object.fromEntries(ROLE_TEMPLATES.map(({ code }) => [code, opened(code)]))).toEqual({
    ADMIN: ['SCN_AUDIT', 'SCN_FMS_DASHBOARD', 'SCN_JOBS', 'SCN_PASSWORD_PORTAL'],
    MANAGER: ['SCN_FMS_DASHBOARD'],
    COMPLIANCE_OFFICER: [],
    STAFF: [],
    HR: [],
    ACCOUNTS: ['SCN_FMS_DASHBOARD'],
    SERVICE: ['SCN_FMS_DASHBOARD'],
    TECHNICIAN: [],
    AUDITOR: ['SCN_AUDIT', 'SCN_FMS_DASHBOARD'],
    BOARD: ['SCN_FMS_DASHBOARD'],
    BOARD_SECRETARY: [],
    BOARD_MEMBER: [],
    STORE_MANAGER: [],
    DESK_AGENT: [],
    DESK_LEAD: [],
    CHECKLIST_OWNER: [],
    DOER: [],
    BRANCH_HEAD: [],
    ...Object.fromEntries(FIELD_SERVICE_ROLES.map(({ code }) => [code, ['SCN_FMS_DASHBOARD']])),
  });
});

test('and reports, if they may run reports', () => {
  for (const { code, actions } of ROLE_TEMPLATES)
    expect([code, ownOfPages(code).includes('SCN_WEEKLY_COUNT')]).toEqual([code, actions.includes('RUN_REPORTS')]);
});

test('and no further pages of descriptor screens', () => {
  for (const template of ROLE_TEMPLATES) {
    const plain = rightsOf(template, screens.values(), new Map());
    expect(of(template.code).filter(({ screen_code: code }) => described.has(code))).toEqual(plain);
  }
});

test('doers have their own tasks, checklists, tickets and filings, and nothing else', () => {
  const rights = of('DOER');
  expect(rights.map(({ screen_code: code }) => code).toSorted()).toEqual([
    'SCN_CHECKLIST_NEW',
    'SCN_FORMS_TRANSACTIONS',
    'SCN_MY_TASKS',
    'SCN_TICKET',
  ]);
  expect(new Set(rights.map(({ data_scope: scope }) => scope))).toEqual(new Set(['own']));
});

test('store managers have the pages of their own stores, and nothing to configure', () => {
  const rights = of('STORE_MANAGER');
  expect(rights.map(({ screen_code: code, data_scope: scope, edit_screen: edits }) => [code, scope, edits])).toEqual(
    expect.arrayContaining([
      ['SCN_INVENTORY_DASHBOARD', 'own', false],
      ['SCN_SALES_DASHBOARD', 'own', false],
      ['SCN_ANALYTICS', 'own', true],
      ['SCN_STORE', 'own', false],
      ['SCN_CATEGORY', 'company', false],
    ]),
  );
  expect(rights).toHaveLength(5);
});

test('a coded page is ticked under its own page type', () => {
  expect(of('ADMIN').find(({ screen_code: code }) => code === 'SCN_WEEKLY_COUNT')).toEqual({
    data_scope: 'company',
    module: 'COMMON',
    screen_code: 'SCN_WEEKLY_COUNT',
    landing: true,
    add_screen: false,
    edit_screen: false,
    view_screen: false,
    approval_screen: false,
    transfer_screen: false,
  });
});

test('shipped field restrictions are possible', () => {
  const kept = ROLE_TEMPLATES.flatMap((template) =>
    (template.fields ?? []).map((right) => ({ role: template.code, ...right })),
  );
  expect([...new Set(kept.map(({ role }) => role))]).toEqual(['MANAGER', 'SERVICE', 'BOARD']);
  for (const { role, record_type: type, field, access } of kept) {
    const screen = screens.get(type)!;
    const adds = of(role).some(
      ({ screen_code: code, add_screen: added }) => added && screen.access.screens.includes(code),
    );
    expect(fieldRightError(screen, field, access, adds), `${role} ${field}`).toBeNull();
  }
});

test('roles of field service name existing screens, and see their own documents but the company’s lists', () => {
  for (const { code, screens: named = {} } of FIELD_SERVICE_ROLES) {
    expect(Object.keys(named).filter((screen) => !existing.has(screen))).toEqual([]);
    expect(of(code).find(({ screen_code: screen }) => screen === 'SCN_FMS_LIFT_MAKE')).toMatchObject({
      landing: true,
      add_screen: false,
      data_scope: 'company',
    });
  }
  const sales = of('AMC_SALES').find(({ screen_code: screen }) => screen === 'SCN_FMS_QUOTATION');
  expect(sales).toMatchObject({ add_screen: true, data_scope: 'own' });
  // Tickets, visits and lifts of the own route groups, through `group` of these types.
  const ofSupervisor = new Map(of('ROUTE_SUPERVISOR').map((right) => [right.screen_code, right.data_scope]));
  for (const type of ['fms_ticket', 'scheduled_ticket', 'lift', 'job_history', 'incident']) {
    const { access, scopes } = screens.get(type)!;
    expect([type, ...access.screens.map((code) => ofSupervisor.get(code))]).toEqual([
      type,
      ...access.screens.map(() => 'own'),
    ]);
    expect(scopes?.group?.people).toEqual(['supervisor_id', 'stand_in_id']);
  }
});

test('the dispatcher’s board is for people who assign', () => {
  for (const { code, actions } of ROLE_TEMPLATES)
    expect([code, ownOfPages(code).includes('SCN_FMS_ASSIGN_TICKET')]).toEqual([code, actions.includes('FMS_ASSIGN')]);
});

test('a client without field service is created without its roles', () => {
  const codes = (products: string[]) => roleTemplatesFor(products).map(({ code }) => code);
  expect(codes(['TKT'])).not.toContain('CALL_DESK');
  expect(codes(['TKT', 'FMS'])).toContain('CALL_DESK');
});

test('storekeepers enter purchase orders, and do not approve them', () => {
  const right = (role: string) => of(role).find(({ screen_code: code }) => code === 'SCN_FMS_PURCHASE_ORDER');
  expect(right('STOREKEEPER')).toMatchObject({
    add_screen: true,
    edit_screen: true,
    approval_screen: false,
  });
  expect(right('STORES_MANAGER')).toMatchObject({ edit_screen: true, approval_screen: true });
});
