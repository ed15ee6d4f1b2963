/** The products: code, name, colour and purpose. */
export const PRODUCTS = [
  ['PLANNING', 'Planning', '#0f6cbd', 'Goals, budgets, forecasts and health checks.'],
  ['PMS', 'Performance', '#8764b8', 'KPIs, scorecards, appraisals and incentives.'],
  ['CHCK', 'Checklists', '#107c10', 'Compliance, audits and checklists.'],
  ['TKT', 'Tickets', '#c239b3', 'Service desk with response and resolution targets.'],
  ['WLK', 'Walk-ins', '#ca5010', 'Store visitors, from arrival to billing.'],
  ['VISITS', 'Visits', '#038387', 'Customer visits, routes and attendance.'],
  ['SURVEY', 'Surveys', '#986f0b', 'Questionnaires to customers and members.'],
  ['BOARD', 'Board', '#5c2e91', 'Board, committees and governance.'],
  ['ANALYTICS', 'Analytics', '#004e8c', 'Dashboards and predictions from collected data.'],
  ['FORMS', 'Forms', '#498205', 'Forms and lists made in the application.'],
  ['FMS', 'Field service', '#d13438', 'Lifts and other equipment: contracts, tickets, material, bills.'],
] as const;

export const PRODUCT_CODES: ReadonlySet<string> = new Set(PRODUCTS.map(([code]) => code));
