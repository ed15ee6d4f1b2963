import { expect, test } from 'vitest';
import { product } from '../server/product.ts';

// A list that names nobody is nobody's own: people whose role shows only own records, or those of their team, would
// find it empty. Such a master says that everybody with the right sees it.

/** Masters that stay with administrators, or whose figures are not for everybody: why is beside each. */
const KEPT = new Set([
  // Settings of the installation and its roles.
  'analytics_user',
  'approval_process',
  'entity',
  'esclation',
  'mail_config_setting',
  'mail_template',
  'menu_setting',
  'number_series',
  'role',
  'sync_source',
  'workflow_rule',
  // Figures that stores send in.
  'line_sale',
  'line_stock',
  'outstanding_month',
  // Bank accounts of vendors, budgets of campaigns, pay of salesmen, remarks about customers.
  'customer_comment',
  'salesman_setting',
  'vendor_mstr',
  'wlk_campaign',
]);

/** Masters of the organisation keep both: a role may show only the records that its people have made. */
const FOLDERS = new Set(['reference', 'organisation', 'common_masters']);

const PEOPLE = new Set(['employee', 'users', 'role']);

test('masters that name no person are for everybody with the right to them', async () => {
  const { screens } = await product;
  const hidden = [...screens.values()]
    .filter(
      (screen) =>
        screen.kind === 'master' &&
        screen.scope !== 'platform' &&
        !FOLDERS.has(screen.folder) &&
        !screen.part &&
        !screen.scopes &&
        !screen.personal &&
        !KEPT.has(screen.name) &&
        !screen.fields.some((field) => field.ref !== undefined && PEOPLE.has(field.ref.type)),
    )
    .map(({ name }) => name);
  expect(hidden, 'Add "scopes": { "all": true }').toEqual([]);
});
