import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read, utils } from 'xlsx';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let auditor: Caller;
let nobody: Caller;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 1 });
  const role = await acme.role({ modules: ['SETTINGS'], actions: ['VIEW_AUDIT'] });
  await acme.user('admin', { isAdmin: true });
  await acme.user('auditor', { companies: [{ company: 1, roles: [role] }] });
  await acme.user('nobody');
  await world.inject({
    method: 'POST',
    url: '/api/sessions/login',
    headers: { host: acme.host },
    payload: { email: '=cmd', password: 'wrong-password-1' },
  });
  [admin, auditor, nobody] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'auditor'),
    world.signIn(acme, 'nobody'),
  ]);
});
afterAll(() => world.close());

const list = async (query = '') =>
  (await auditor.call('GET', `/tapi/audit_log${query}`)).json<{ data: Record<string, unknown>[]; more: boolean }>()
    .data;

describe('the audit trail', () => {
  it('shows who signed in, and filters by action, person and day', async () => {
    await expect
      .poll(async () => (await list('?action=login')).map((row) => row.actor), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['Person admin', 'Person auditor', 'Person nobody']));
    expect((await list(`?user=${admin.userId}`)).every((row) => row.actor === 'Person admin')).toBe(true);
    expect(await list('?to=2020-01-01')).toEqual([]);
    expect((await auditor.call('GET', '/tapi/audit_log?from=yesterday')).statusCode).toBe(400);
    expect((await auditor.call('GET', '/tapi/audit_log/verify')).json()).toEqual({
      data: { whole: true, broken_at: null },
    });
  });

  it('requires the right to see it, and the right to export it', async () => {
    for (const url of [
      '/tapi/audit_log',
      '/tapi/login_log',
      '/tapi/audit_log/actions',
      '/tapi/audit_log/verify',
      '/tapi/audit_log/export.xlsx',
    ])
      expect((await nobody.call('GET', url)).statusCode, url).toBe(403);
    expect((await auditor.call('GET', '/tapi/audit_log/export.xlsx')).statusCode).toBe(403);
    const file = await admin.call('GET', '/tapi/login_log/export.xlsx');
    expect(file.statusCode).toBe(200);
    const rows = utils.sheet_to_json<Record<string, string>>(read(file.rawPayload).Sheets.Sheet1!);
    expect(rows.map((row) => row.Outcome)).toEqual(expect.arrayContaining(['success', 'unknown']));
  });

  it('exports are recorded', async () => {
    await expect
      .poll(async () => (await list('?action=export'))[0], { timeout: 60_000 })
      .toMatchObject({ actor: 'Person admin', summary: 'Sign-ins' });
  });
});

it('changes of settings and rights are recorded with their values, and so are deletions, restores and exports', async () => {
  const noted = async (action: string) => (await list(`?action=${action}`))[0];
  const soon = { timeout: 60_000 };
  const { version } = (await admin.call('PUT', '/tapi/configuration/single', { delegation_max_days: 60 })).json<{
    data: { version: number };
  }>().data;
  await admin.call('PUT', '/tapi/configuration/single', { version, delegation_max_days: 45 });
  await expect
    .poll(() => noted('configuration.save'), soon)
    .toMatchObject({
      actor: 'Person admin',
      target_type: 'configuration',
      summary: 'Maximum delegation period',
      diff: { delegation_max_days: [60, 45] },
    });
  const role = (await admin.call('POST', '/tapi/role', { code: 'NEW', role_name: 'New' })).json<{
    data: { id: number };
  }>().data;
  await expect.poll(() => noted('role.add'), soon).toMatchObject({ target_id: role.id });
  const { id } = (await admin.call('POST', '/tapi/zone', { code: 'S', name: 'South' })).json<{ data: { id: number } }>()
    .data;
  await admin.call('POST', `/tapi/zone/${id}/deactivate`, { version: 1 });
  await admin.call('POST', `/tapi/zone/${id}/activate`, { version: 2 });
  await admin.call('DELETE', `/tapi/zone/${id}`);
  for (const action of ['deactivate', 'restore', 'delete'])
    await expect.poll(() => noted(action), soon).toMatchObject({ target_type: 'zone', target_id: id });
  // Ordinary changes are in the record's own history; a few rows are no export worth noting.
  expect((await list('?type=zone')).map((row) => row.action)).toEqual(['delete', 'restore', 'deactivate']);
  const take = () => admin.call('GET', '/tapi/zone/export.xlsx');
  await acme.sql(`insert into {s}.zone (code, name) select 'Z' || i, 'Zone ' || i from generate_series(1, 100) i`);
  expect((await take()).statusCode).toBe(200);
  await acme.sql(`insert into {s}.zone (code, name) values ('Z101', 'Zone 101')`);
  expect((await take()).statusCode).toBe(200);
  await expect
    .poll(async () => (await list('?type=zone&action=export')).map((row) => row.summary), soon)
    .toEqual(['101 rows']);
});

describe('sign-ins', () => {
  it('are listed with their outcome, and counted by day', async () => {
    const { data, days } = (await auditor.call('GET', '/tapi/login_log?outcome=unknown')).json<{
      data: Record<string, unknown>[];
      days: { outcome: string; count: number }[];
    }>();
    expect(data).toMatchObject([{ outcome: 'unknown', user: null }]);
    expect(days.find(({ outcome }) => outcome === 'success')?.count).toBe(3);
  });
});
