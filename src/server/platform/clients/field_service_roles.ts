import type { DataScope } from '../../access/context.ts';
import type { Reach, RoleTemplate } from './role_template.ts';

const SALES = [
  'CUSTOMER',
  'BUILDING',
  'LIFT',
  'QUOTATION',
  'CONTRACT',
  'RENEWAL',
  'CONTRACT_CHANGE',
  'AMC_CANCELLATION',
];
const SERVICE = ['RAISE_TICKETS', 'TICKETS', 'ASSIGN_TICKET', 'SCHEDULED_TICKETS', 'TIS', 'HOME'];
const REQUESTS = ['MR', 'MR_APPROVAL', 'MR_APPROVAL_TECH', 'MR_QUOTATION', 'MR_CONTRACT', 'MR_CONSUMPTION'];
const STORE = [
  'MR_INDENT',
  'MR_TRANSFER',
  'GRN',
  'MR_ISSUE',
  'MR_RECEIPT',
  'MR_RECEIPT_STATUS',
  'STOCK_COUNT',
  'STOCK_ADJUSTMENT',
  'PURCHASE_ORDER',
];

/** Documents of which a role sees its own, those of its branch or all; lists to choose from are always those of the company. */
const DOCUMENTS = [
  ...new Set([...SALES, 'LIFT_TRANSFER', ...SERVICE, ...REQUESTS, ...STORE, 'BILLING', 'RECEIPT', 'DEPOSITS']),
];

/** Documents that belong to a route, and so to the supervisor of its group. */
const OF_ROUTES = ['RAISE_TICKETS', 'TICKETS', 'ASSIGN_TICKET', 'SCHEDULED_TICKETS', 'LIFT'];

/** Reads every list of field service and changes what `screens` names. `sees`: records of documents. */
function role(
  { sees, ...head }: { code: string; name: string; description: string; sees: DataScope; landing?: string },
  screens: string[],
  actions: string[],
  scopes: Record<string, DataScope> = {},
  /** Documents that the role enters and others approve. */
  enters: string[] = [],
): RoleTemplate {
  return {
    ...head,
    product: 'FMS',
    scope: 'company',
    modules: { FMS: 'M', COMMON: 'M', DASHBOARD: 'M' },
    screens: Object.fromEntries(
      screens.map((code): [string, Reach] => [`SCN_FMS_${code}`, enters.includes(code) ? 'A' : 'F']),
    ),
    actions,
    scopes: { ...Object.fromEntries(DOCUMENTS.map((code) => [`SCN_FMS_${code}`, sees])), ...scopes },
  };
}

/** Roles of a client that has bought field service: who does what in a lift company (section 2 of its design). */
export const FIELD_SERVICE_ROLES: RoleTemplate[] = [
  role(
    {
      code: 'ROUTE_SUPERVISOR',
      name: 'Route supervisor',
      description: 'Team, routes and quality of a group of routes: assigns, plans, releases, reviews inspections.',
      sees: 'branch',
      landing: '/fms_home',
    },
    [...SERVICE, 'MR', 'MR_CONSUMPTION', 'MR_RECEIPT_STATUS'],
    ['FMS_ASSIGN', 'MR_RAISE', 'RUN_REPORTS'],
    // Those of the routes of their groups.
    Object.fromEntries(OF_ROUTES.map((code) => [`SCN_FMS_${code}`, 'own'])),
  ),
  role(
    {
      code: 'CALL_DESK',
      name: 'Call desk',
      description: 'Takes calls, assigns them and monitors response times.',
      sees: 'branch',
      landing: '/fms_home',
    },
    ['RAISE_TICKETS', 'TICKETS', 'ASSIGN_TICKET', 'MR', 'HOME'],
    ['FMS_ASSIGN', 'MR_RAISE', 'RUN_REPORTS'],
  ),
  role(
    {
      code: 'AMC_SALES',
      name: 'AMC sales',
      description: 'Own customers: quotations, renewals and drafts of contracts.',
      sees: 'own',
    },
    [...SALES, 'MR_QUOTATION'],
    ['RUN_REPORTS'],
    { SCN_FMS_BUILDING: 'branch', SCN_FMS_LIFT: 'branch', SCN_FMS_TIS: 'branch' },
  ),
  role(
    {
      code: 'BILLING',
      name: 'Billing',
      description: 'Creates, posts and mails the bills of a branch.',
      sees: 'branch',
    },
    ['BILLING'],
    ['FMS_POST_BILL', 'RUN_REPORTS', 'EXPORT_DATA'],
  ),
  role(
    {
      code: 'COLLECTION',
      name: 'Collection',
      description: 'Receipts, follow-up of dues and statements of a branch.',
      sees: 'branch',
    },
    ['RECEIPT'],
    ['RUN_REPORTS', 'EXPORT_DATA'],
  ),
  role(
    {
      code: 'BRANCH_MANAGER',
      name: 'Branch manager of service',
      description: 'Approves quotations, discounts and transfers of a branch.',
      sees: 'branch',
      landing: '/fms_home',
    },
    [...SALES, 'LIFT_TRANSFER', ...SERVICE, ...REQUESTS, 'MR_TRANSFER', 'STOCK_COUNT', 'STOCK_ADJUSTMENT'],
    [
      'FMS_ASSIGN',
      'FMS_TRANSFER',
      'FMS_PRICE_OVERRIDE',
      'MR_RAISE',
      'MR_APPROVE_COMMERCIAL',
      'MR_GOODWILL',
      'MR_QUOTE_DISCOUNT',
      'STOCK_VALUE_VIEW',
      'RUN_REPORTS',
      'EXPORT_DATA',
    ],
  ),
  role(
    {
      code: 'HEAD_OF_SERVICE',
      name: 'Head of service',
      description: 'The whole service of a company: every list, report and approval.',
      sees: 'company',
      landing: '/show_list',
    },
    [...SALES, 'LIFT_TRANSFER', ...SERVICE, ...REQUESTS, ...STORE, 'RECEIPT', 'BILLING', 'DEPOSITS'],
    [
      'FMS_ASSIGN',
      'FMS_TRANSFER',
      'FMS_PRICE_OVERRIDE',
      'FMS_ACTIVATE_UNSIGNED',
      'MR_RAISE',
      'MR_APPROVE_COMMERCIAL',
      'MR_APPROVE_TECHNICAL',
      'MR_OVERRIDE_CREDIT',
      'MR_GOODWILL',
      'MR_QUOTE_DISCOUNT',
      'STOCK_APPROVE_TRANSFER',
      'STOCK_COUNT_APPROVE',
      'STOCK_ADJUST',
      'STOCK_VALUE_VIEW',
      'RUN_REPORTS',
      'SHARE_REPORTS',
      'EXPORT_DATA',
    ],
  ),
  role(
    {
      code: 'SERVICE_ENGINEER',
      name: 'Service engineer',
      description: 'Identifies the exact part that a lift needs.',
      sees: 'branch',
    },
    ['MR', 'MR_APPROVAL_TECH', 'TIS', 'TICKETS'],
    ['MR_RAISE', 'MR_APPROVE_TECHNICAL', 'RUN_REPORTS'],
  ),
  role(
    {
      code: 'STOREKEEPER',
      name: 'Storekeeper',
      description: 'Receives, reserves, issues, dispatches and counts in the stores of a branch.',
      sees: 'branch',
    },
    STORE,
    ['STOCK_POST', 'RUN_REPORTS'],
    {},
    ['PURCHASE_ORDER'],
  ),
  role(
    {
      code: 'STORES_MANAGER',
      name: 'Stores manager',
      description: 'All stores of a company: transfers, purchase, prices, counts and closed months.',
      sees: 'company',
    },
    [...STORE, 'STOCK_PERIOD'],
    [
      'STOCK_POST',
      'STOCK_APPROVE_TRANSFER',
      'STOCK_BACKDATE',
      'STOCK_ADJUST',
      'STOCK_COUNT_APPROVE',
      'STOCK_PERIOD_CLOSE',
      'STOCK_VALUE_VIEW',
      'CREATE_MASTERS',
      'RUN_REPORTS',
      'EXPORT_DATA',
    ],
  ),
];
