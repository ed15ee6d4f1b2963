import type { RoleTemplate } from './role_template.ts';

const OWN_WORK: RoleTemplate['screens'] = { SCN_MY_TASKS: 'F', SCN_CHECKLIST_NEW: 'M' };

/** Roles of a client with checklists (act 2.7). */
export const COMPLIANCE_ROLES: RoleTemplate[] = [
  {
    code: 'COMPLIANCE_OFFICER',
    product: 'CHCK',
    name: 'Compliance officer',
    description:
      'Checklists, filings and cases of the company: adopts, extends, closes months, grants what does not apply.',
    modules: { COMPLIANCE: 'F', COMMON: 'M', DASHBOARD: 'M' },
    screens: { SCN_WORKFLOW: 'M' },
    actions: [
      'CREATE_MASTERS',
      'CREATE_CHK',
      'ADOPT_CHK',
      'RUN_REPORTS',
      'EXPORT_DATA',
      'CHK_EXTEND',
      'CHK_REOPEN',
      'CHK_REOPEN_MONTH',
      'CHK_CLOSE_MONTH',
      'CHK_GRANT_NA',
      'FIL_FILE',
      'CASE_START',
    ],
    scope: 'company',
    landing: '/forms_transactions',
  },
  {
    code: 'CHECKLIST_OWNER',
    product: 'CHCK',
    name: 'Checklist owner',
    description: 'Changes their own checklists, moves and reopens their tasks, and decides what does not apply.',
    modules: { COMPLIANCE: 'M', COMMON: 'M', DASHBOARD: 'M' },
    screens: { ...OWN_WORK, SCN_MASTER_CHECKLIST: 'F', SCN_CHECKLIST_NEW: 'F', SCN_DASHBOARD_COMPLIANCE: '-' },
    actions: ['CREATE_CHK', 'CHK_REOPEN', 'RUN_REPORTS', 'EXPORT_DATA'],
    scope: 'own',
    landing: '/MainChecklist',
  },
  {
    code: 'DOER',
    product: 'CHCK',
    name: 'Doer',
    description: 'Own tasks, tickets and filings, and nothing else.',
    modules: { COMPLIANCE: 'M', TICKETS: 'M', COMMON: 'M' },
    screens: { ...OWN_WORK, SCN_FORMS_TRANSACTIONS: 'M', SCN_TICKET: 'F' },
    only: true,
    actions: ['CREATE_CHK'],
    scope: 'own',
    landing: '/myTasks',
  },
  {
    code: 'BRANCH_HEAD',
    product: 'CHCK',
    name: 'Branch head',
    description: 'Checklists, tickets and approvals of a branch, and its dashboards.',
    modules: { COMPLIANCE: 'M', TICKETS: 'M', COMMON: 'M', DASHBOARD: 'M' },
    screens: { ...OWN_WORK, SCN_TICKET: 'F', SCN_APPROVAL: 'F' },
    actions: ['CREATE_CHK', 'TKT_ASSIGN', 'TKT_INTERNAL', 'RUN_REPORTS', 'EXPORT_DATA'],
    scope: 'branch',
    landing: '/MainChecklist',
  },
];
