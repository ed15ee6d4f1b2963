import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPages, withFigures } from '../../../../src/server/access/rights/pages.ts';
import { screenCatalogue } from '../../../../src/server/access/rights/role_rights.ts';
import { product } from '../product.ts';

it('a row of the rights page is named after one screen; other pages of its code are listed beside it', async () => {
  const { screens } = await product;
  const rows = screenCatalogue(screens.values(), []);
  const manuals = rows.find(({ screen_code: code }) => code === 'SCN_USERMANUAL')!;
  expect(manuals.name).toBe('User manuals');
  expect(manuals.also).toContain('Manual feedback');
  expect(rows.find(({ screen_code: code }) => code === 'SCN_CONFIGURATION')!.name).toBe('Configuration');
  const plurals = new Set([...screens.values()].map(({ plural }) => plural));
  expect(
    rows
      .map(({ name }) => name)
      .filter((name) => !plurals.has(name.replace(/( \(|, ).*/, '')) && !name.startsWith('All of ')),
  ).toEqual([]);
});

it('a code that opens further screens is named after its own page, so that no two rows have one name', async () => {
  const { screens, reports, dashboards } = await product;
  const pages = withFigures(readPages(join(import.meta.dirname, '../../../../schemas')), { reports, dashboards });
  const rows = screenCatalogue(screens.values(), pages);
  expect(rows.find(({ screen_code: code }) => code === 'SCN_CHAIRMAN_DASHBOARD')!.name).toBe('Board dashboard');
  expect(rows.find(({ screen_code: code }) => code === 'SCN_FMS_MR_APPROVAL')!.name).toBe(
    'Material requests (MR approval)',
  );
  const shared = rows.map(({ name }) => name).filter((name) => name.startsWith('All of ') || name.endsWith(')'));
  expect(shared).toEqual([...new Set(shared)]);
});

it('a screen offers own records only if some of its records can be somebody’s own', async () => {
  const { screens } = await product;
  const rows = new Map(screenCatalogue(screens.values(), []).map((row) => [row.screen_code, row]));
  const codeOf = (type: string) => screens.get(type)!.access.screens[0]!;
  expect(screens.get('designation')!.scopes).toEqual({ all: true });
  expect(rows.get(codeOf('designation'))!.unowned).toBe(true);
  expect(rows.get(codeOf('segment'))!.unowned).toBeUndefined();
  expect(rows.get(codeOf('employee'))!.unowned).toBeUndefined();
});
