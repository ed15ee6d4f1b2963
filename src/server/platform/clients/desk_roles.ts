import type { RoleTemplate } from './role_template.ts';

const QUEUE: RoleTemplate['screens'] = { SCN_TICKET: 'F' };

/**
 * Roles of a client with the service desk (act 2.7): agents see the tickets of their groups, leads those of the
 * company.
 */
export const DESK_ROLES: RoleTemplate[] = [
  {
    code: 'DESK_AGENT',
    name: 'Desk agent',
    product: 'TKT',
    description: 'Works on the tickets of the groups that they belong to.',
    modules: { TICKETS: 'M', COMMON: 'M', DASHBOARD: 'M' },
    screens: QUEUE,
    actions: ['CREATE_CHK', 'TKT_INTERNAL'],
    scope: 'company',
    scopes: { SCN_TICKET: 'own' },
    landing: '/ticket',
  },
  {
    code: 'DESK_LEAD',
    name: 'Desk lead',
    product: 'TKT',
    description: 'Assigns, merges and cancels tickets, and watches the SLA score.',
    modules: { TICKETS: 'M', COMMON: 'M', DASHBOARD: 'M' },
    screens: QUEUE,
    actions: ['CREATE_CHK', 'TKT_INTERNAL', 'TKT_ASSIGN', 'TKT_MERGE', 'RUN_REPORTS', 'EXPORT_DATA'],
    scope: 'company',
    landing: '/ticket',
  },
];
