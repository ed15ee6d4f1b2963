import type { Screen } from '../../../descriptor/types.ts';
import type { FieldRight } from '../../../domain/field_access.ts';
import type { DataScope } from '../../access/context.ts';
import type { BespokePage, Pages } from '../../access/rights/pages.ts';
import { PRODUCT_OF_MODULE } from '../../../domain/modules.ts';
import { ACTION_CODES, pageTypesOf } from '../../access/rights/role_rights.ts';
import type { Snapshot } from '../../access/rights/role_rights.ts';
import { COMPLIANCE_ROLES } from './compliance_roles.ts';
import { DESK_ROLES } from './desk_roles.ts';
import { FIELD_SERVICE_ROLES } from './field_service_roles.ts';
import type { Reach, RoleTemplate } from './role_template.ts';

/** Official and bank numbers of people: only for HR and payroll. */
const NUMBERS_OF_PEOPLE: FieldRight[] = ['pan', 'aadhaar_last4', 'uan', 'esic_no', 'ifsc'].map((field) => ({
  record_type: 'employee',
  field,
  access: 'hidden',
}));

/** Columns of the template table: planning, performance, compliance, tickets, walk-ins and visits, surveys and forms, FMS, masters, settings, users. */
function reach(row: string, more: Record<string, Reach> = {}): Record<string, Reach> {
  const [planning, performance, compliance, tickets, field, surveys, fms, masters, settings, users] = row.split(
    ' ',
  ) as Reach[];
  return {
    PLANNING: planning ?? '-',
    FINANCIAL: planning ?? '-',
    WHAT_IF_A: planning ?? '-',
    PERFORMANCE: performance ?? '-',
    COMPLIANCE: compliance ?? '-',
    DOA: compliance ?? '-',
    TICKETS: tickets ?? '-',
    WALKINS: field ?? '-',
    VISITS: field ?? '-',
    ATTENDANCE: field ?? '-',
    SURVEYS: surveys ?? '-',
    FORMS: surveys ?? '-',
    FMS: fms ?? '-',
    MASTERS: masters ?? '-',
    SETTINGS: settings ?? '-',
    USERS: users ?? '-',
    COMMON: 'M',
    DASHBOARD: 'M',
    LEADERSHIP_STRUCTURE: '-',
    ...more,
  };
}

/** Whoever has tasks to do adds the evidence to them and hands them in. */
const DOES_TASKS: Record<string, Reach> = { SCN_MY_TASKS: 'F' };

/** The initial roles of every new client. */
export const ROLE_TEMPLATES: RoleTemplate[] = [
  {
    code: 'ADMIN',
    name: 'Administrator',
    description: 'Everything inside the products of the company.',
    modules: reach('F F F F F F F F F F', { COMMON: 'F', DASHBOARD: 'F', LEADERSHIP_STRUCTURE: 'F' }),
    actions: [...ACTION_CODES],
    scope: 'company',
  },
  {
    code: 'MANAGER',
    name: 'Manager',
    description: 'Runs a team: its goals, tasks, tickets and approvals.',
    modules: reach('F F F F F F M M - -'),
    actions: ['CREATE_CHK', 'RUN_REPORTS', 'ADOPT_CHK', 'EXPORT_DATA', 'CASE_START'],
    // Bots are their owner's.
    screens: { SCN_EMPLOYEE_DASHBOARD: 'M', SCN_EMPLOYEE_PAY: '-', SCN_ANALYTICS: 'F' },
    scope: 'team',
    fields: NUMBERS_OF_PEOPLE,
  },
  {
    code: 'STAFF',
    name: 'Staff',
    description: 'Own tasks, tickets and visits.',
    modules: reach('M M M F F M - - - -'),
    // Compliance data of the company is readable only for the board and the officers.
    screens: {
      SCN_EMPLOYEE_PAY: '-',
      SCN_DASHBOARD_COMPLIANCE: '-',
      // Members enter their own actuals, rate themselves, answer feedback and keep their plan up to date.
      SCN_ACTUAL_VIEW: 'E',
      SCN_APPRAISAL: 'E',
      SCN_EMP_KPI_FEEDBACK: 'E',
      SCN_KPI_FEEDBACK_REQUEST: 'A',
      SCN_IDP: 'E',
      SCN_EMPLOYEE_DASHBOARD: 'M',
      ...DOES_TASKS,
    },
    actions: ['CREATE_CHK'],
    scope: 'own',
  },
  {
    code: 'HR',
    name: 'HR',
    description: 'Employees, organisation lists, holidays and week-offs.',
    modules: reach('M F M M M F - F F M'),
    screens: { SCN_ROLE: '-', SCN_ENTITY: '-', ...DOES_TASKS },
    actions: [
      'CREATE_MASTERS',
      'IMPORT_DATA',
      'EXPORT_DATA',
      'RUN_REPORTS',
      'ADMIN_ACTUAL',
      'FREEZE_PERIOD',
      'REOPEN_PERIOD',
      'LAUNCH_APPRAISAL',
      'MODERATE',
      'RELEASE_RATING',
      'VIEW_PAY',
      'RUN_INCENTIVE',
      'MANAGE_ORG',
    ],
    scope: 'company',
  },
  {
    code: 'ACCOUNTS',
    name: 'Accounts',
    description: 'Billing, receipts, deposits and budgets.',
    modules: reach('F - M M - - M M - -'),
    screens: {
      SCN_FMS_RECEIPT: 'F',
      SCN_FMS_BILLING: 'F',
      SCN_FMS_DEPOSITS: 'F',
      SCN_FORMS_TRANSACTIONS: 'F',
      ...DOES_TASKS,
    },
    actions: [
      'CREATE_MASTERS',
      'RUN_REPORTS',
      'EXPORT_DATA',
      'FMS_POST_BILL',
      'FMS_CANCEL_BILL',
      'FMS_REVERSE_RECEIPT',
      'FMS_BACKDATE',
      'FIL_FILE',
    ],
    scope: 'company',
  },
  {
    code: 'SERVICE',
    name: 'Service head',
    description: 'Field service of a branch with its lists and settings.',
    modules: reach('- M M F F M F F F -'),
    screens: {
      SCN_EMPLOYEE_PAY: '-',
      SCN_ROLE: '-',
      SCN_ENTITY: '-',
      SCN_WEEKOFF: '-',
      SCN_EMPLOYEE: 'M',
      SCN_FMS_BILLING: 'M',
      SCN_FMS_RECEIPT: 'M',
      SCN_FMS_DEPOSITS: 'M',
      ...DOES_TASKS,
    },
    actions: [
      'CREATE_MASTERS',
      'CREATE_CHK',
      'RUN_REPORTS',
      'EXPORT_DATA',
      'FMS_ASSIGN',
      'MR_RAISE',
      'MR_APPROVE_COMMERCIAL',
      'MR_APPROVE_TECHNICAL',
      'MR_QUOTE_DISCOUNT',
      'STOCK_POST',
    ],
    scope: 'branch',
    fields: NUMBERS_OF_PEOPLE,
  },
  {
    code: 'TECHNICIAN',
    name: 'Technician',
    description: 'Own tickets, visits, inspections and material requests.',
    modules: reach('- M M F F - M - - -', { DASHBOARD: '-' }),
    screens: {
      SCN_EMPLOYEE_PAY: '-',
      // Their page is My day; company figures are for managers.
      SCN_FMS_DASHBOARD: '-',
      SCN_DASHBOARD_COMPLIANCE: '-',
      SCN_FMS_HOME: 'F',
      SCN_FMS_TICKETS: 'F',
      SCN_FMS_TIS: 'F',
      SCN_FMS_MR: 'F',
      SCN_FMS_MR_CONSUMPTION: 'F',
      ...DOES_TASKS,
    },
    actions: ['CREATE_CHK', 'FMS_FIELD', 'MR_RAISE'],
    scope: 'own',
    scopes: { SCN_FMS: 'company', SCN_FMS_LIFT: 'branch', SCN_FMS_BUILDING: 'branch', SCN_FMS_CUSTOMER: 'branch' },
    landing: '/fms_home',
  },
  {
    code: 'AUDITOR',
    name: 'Auditor',
    description: 'Reads everything, changes nothing but audit records.',
    modules: reach('M M M M M M M M M M'),
    screens: { SCN_EMPLOYEE_PAY: '-' },
    actions: ['RUN_REPORTS', 'EXPORT_DATA', 'VIEW_AUDIT'],
    scope: 'company',
  },
  {
    code: 'BOARD',
    name: 'Board',
    description: 'Reads results of all companies.',
    modules: reach('M M M M M M M - - -', { LEADERSHIP_STRUCTURE: 'M' }),
    screens: { SCN_BOARD_QUERIES: 'F', SCN_ANALYTICS: 'F', SCN_EMPLOYEE_PAY: '-' },
    actions: ['RUN_REPORTS', 'ASK_BOARD'],
    scope: 'all_companies',
    landing: '/BoardDashBoard',
    fields: NUMBERS_OF_PEOPLE,
  },
  {
    code: 'BOARD_SECRETARY',
    product: 'BOARD',
    name: 'Company secretary',
    description: 'Keeps units, seats, people, rules and declarations of the board.',
    modules: { LEADERSHIP_STRUCTURE: 'F', COMMON: 'M', DASHBOARD: 'M', PERFORMANCE: 'M' },
    // The KPI sheets of the units: those of others are no concern of the secretary.
    screens: { SCN_EMPLOYEE_KPI: 'A', SCN_ACTUAL_VIEW: 'E', SCN_SCORECARD: 'M' },
    only: ['PERFORMANCE'],
    scopes: { SCN_EMPLOYEE_KPI: 'own', SCN_ACTUAL_VIEW: 'own', SCN_SCORECARD: 'own' },
    actions: ['CREATE_MASTERS', 'RUN_REPORTS', 'EXPORT_DATA', 'MANAGE_BOARD', 'ASK_BOARD'],
    scope: 'company',
    landing: '/SecretaryBoard',
  },
  {
    code: 'BOARD_MEMBER',
    product: 'BOARD',
    name: 'Committee member',
    description: 'The units in which the person sits: members, meetings, papers, actions and questions.',
    modules: { LEADERSHIP_STRUCTURE: 'M', COMMON: 'M', DASHBOARD: 'M' },
    screens: {
      SCN_EMPLOYEE_PAY: '-',
      SCN_COMMITTEE_DASHBOARD: 'M',
      SCN_BOARD_UNITS: 'M',
      SCN_BOARD_POSITIONS: 'M',
      SCN_BOARD_MEMBERS: 'M',
      SCN_BOARD_MEETINGS: 'M',
      SCN_BOARD_DESIGNATION: 'M',
      SCN_BOARD_TYPES: 'M',
      SCN_BOARD_DISCLOSURES: 'E',
      SCN_BOARD_QUERIES: 'F',
      SCN_BOARD_EVALUATIONS: 'M',
      SCN_BOARD_EVALUATION_ANSWERS: 'E',
    },
    only: true,
    actions: ['ASK_BOARD'],
    scope: 'own',
    landing: '/CommitteeDashboard',
  },
  {
    code: 'STORE_MANAGER',
    product: 'ANALYTICS',
    name: 'Store manager',
    description: 'Stock, orders and the sales forecast of the stores that they manage, and their own bots.',
    modules: { DASHBOARD: 'M', COMMON: 'M', PERFORMANCE: 'M' },
    screens: {
      SCN_EMPLOYEE_PAY: '-',
      SCN_INVENTORY_DASHBOARD: 'M',
      SCN_SALES_DASHBOARD: 'M',
      SCN_ANALYTICS: 'F',
      // The stores and categories that the figures are grouped by.
      SCN_STORE: 'M',
      SCN_CATEGORY: 'M',
    },
    scopes: { SCN_CATEGORY: 'company' },
    only: true,
    actions: [],
    scope: 'own',
  },
  ...DESK_ROLES,
  ...COMPLIANCE_ROLES,
  ...FIELD_SERVICE_ROLES,
];

/** The initial roles of a client with these products. */
export function roleTemplatesFor(products: readonly string[]): RoleTemplate[] {
  return ROLE_TEMPLATES.filter(({ product }) => product === undefined || products.includes(product));
}

export interface ScreenRight {
  module: string;
  screen_code: string;
  data_scope: DataScope;
  landing: boolean;
  add_screen: boolean;
  edit_screen: boolean;
  view_screen: boolean;
  approval_screen: boolean;
  transfer_screen: boolean;
}

/**
 * The rows of `screen_rights` of a template for existing screens; screens without a page get no tick for it. `pages`:
 * coded pages and reports, of which only those with their own code count.
 */
export function rightsOf(template: RoleTemplate, screens: Iterable<Screen>, pages: Pages): ScreenRight[] {
  const rights = new Map<string, ScreenRight>();
  const described = new Set<string>();
  for (const screen of screens) {
    for (const code of screen.access.screens) described.add(code);
    const module = screen.access.modules.find((code) => (template.modules[code] ?? '-') !== '-');
    if (!module) continue;
    // Settings shared with another module remain settings: authorities are not for everybody of that module.
    const setUp = screen.access.modules.includes('SETTINGS') && (template.modules.SETTINGS ?? '-') === '-';
    for (const code of screen.access.screens) {
      const reached =
        template.screens?.[code] ?? (setUp || hasOnlyNamed(template, module) ? '-' : template.modules[module]) ?? '-';
      if (reached === '-') continue;
      const adds = reached === 'F' || reached === 'A';
      const before = rights.get(code);
      rights.set(code, {
        module,
        screen_code: code,
        data_scope: template.scopes?.[code] ?? template.scope,
        landing: true,
        view_screen: true,
        add_screen: before?.add_screen || (adds && screen.routes.add !== null),
        edit_screen: before?.edit_screen || ((adds || reached === 'E') && screen.routes.edit !== null),
        approval_screen:
          before?.approval_screen || (reached === 'F' && pageTypesOf(screen).includes('approval_screen')),
        transfer_screen: before?.transfer_screen || (adds && screen.kind === 'document'),
      });
    }
  }
  for (const page of pages.values()) {
    const module = moduleForPage(template, page);
    if (module === undefined) continue;
    for (const code of page.screen ?? []) {
      if (described.has(code) || (template.screens?.[code] ?? (hasOnlyNamed(template, module) ? '-' : 'M')) === '-')
        continue;
      const none = {
        landing: false,
        add_screen: false,
        edit_screen: false,
        view_screen: false,
        approval_screen: false,
        transfer_screen: false,
      };
      rights.set(code, {
        ...none,
        data_scope: template.scopes?.[code] ?? template.scope,
        ...rights.get(code),
        module,
        screen_code: code,
        [page.page ?? 'landing']: true,
      });
    }
  }
  return [...rights.values()];
}

const hasOnlyNamed = ({ only }: RoleTemplate, module: string): boolean =>
  only === true || (only?.includes(module) ?? false);

/** The module through which a template opens a coded page, if any. */
function moduleForPage({ modules, actions, screens }: RoleTemplate, page: BespokePage): string | undefined {
  const reached = (code: string) => (modules[code] ?? '-') !== '-';
  if (
    page.common ||
    (page.action !== undefined && !actions.includes(page.action)) ||
    (page.report && !actions.includes('RUN_REPORTS'))
  )
    return undefined;
  // Dashboards configure nothing: they show figures of what the reader may list.
  if (page.dashboard === undefined && page.module?.includes('SETTINGS') && !reached('SETTINGS')) return undefined;
  const ofProducts = (page.product ?? []).flatMap((product) =>
    Object.keys(PRODUCT_OF_MODULE).filter((code) => PRODUCT_OF_MODULE[code] === product),
  );
  // A template may name a page of a module that it does not have otherwise.
  const isNamed = page.screen?.some((code) => (screens?.[code] ?? '-') !== '-') === true;
  return ofProducts.length === 0 || isNamed || ofProducts.some(reached) ? page.module?.find(reached) : undefined;
}

/** All grants of a template, in the form of a role: modules, tickable screens, actions. */
export function snapshotOf(
  template: RoleTemplate,
  screens: Iterable<Screen>,
  pages: Pages,
  tickable: ReadonlySet<string>,
): Snapshot {
  return {
    modules: Object.entries(template.modules).map(([code, reach]) => ({
      module_code: code,
      active: reach !== '-',
      hide_all: false,
    })),
    screens: rightsOf(template, screens, pages)
      .filter(({ screen_code: code }) => tickable.has(code))
      .map(({ module: _module, ...right }) => right),
    actions: template.actions,
    fields: template.fields ?? [],
  };
}
