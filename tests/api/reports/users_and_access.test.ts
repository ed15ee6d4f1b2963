import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import usersAndAccess from '../../../src/server/modules/platform/users_and_access_report.ts';
import type { TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { askSource } from './ask_source.ts';

const TODAY = '2026-11-21';
const ids: Record<string, number> = {};
let world: World;
let acme: TestTenant;
let zenith: TestTenant;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  [acme, zenith] = await Promise.all([world.tenant({ companies: 2 }), world.tenant()]);
  await zenith.user('stranger', { isAdmin: true });
  const seeing = (scope: 'company' | 'own') =>
    acme.role({ modules: ['USERS'], screens: { SCN_USERS: { pages: ['landing'], scope } }, actions: ['VIEW_AUDIT'] });
  ids.auditing = await seeing('company');
  ids.looking = await seeing('own');
  ids.admin = await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  ids.auditor = await acme.user('auditor', {
    name: 'Asha Auditor',
    companies: [{ company: 1, roles: [ids.auditing] }],
  });
  ids.looker = await acme.user('looker', {
    companies: [
      { company: 1, roles: [ids.looking, ids.auditing] },
      { company: 2, roles: [ids.looking] },
    ],
  });
  ids.own = await acme.user('own', { companies: [{ company: 1, roles: [ids.looking] }] });
  ids.new = await acme.user('new', { status: 'invited', products: ['MS_FMS'], companies: [{ company: 2 }] });
  ids.gone = await acme.user('gone', { status: 'disabled' });
  ids.program = await acme.user('program');
  const [branch] = await acme.sql<{ id: number }>(
    `insert into {s}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode)
    select $1, 'PUN', 'Pune', 'branch', 'Road', c.id, c.state_id, s.country_id, '411001' from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id limit 1 returning id`,
    [acme.entityIds[0]],
  );
  ids.pune = branch!.id;
  await acme.sql(
    'update {s}.users__companies set branch_ids = array[$1::bigint] where parent_id = $2 and entity_id = $3',
    [ids.pune, ids.looker, acme.entityIds[0]],
  );
  await acme.sql(`update {s}.users set is_service = true where id = $1`, [ids.program]);
  await acme.sql(`update {s}.users set created_at = '2026-11-20T12:00:00+05:30', last_login_at = null`);
  // Late in the evening here is the same day still in UTC, and early in the morning the day before.
  await acme.sql(`update {s}.users set last_login_at = '2026-11-21T00:30:00+05:30' where id = $1`, [ids.admin]);
  await acme.sql(`update {s}.users set last_login_at = '2026-08-22T23:30:00+05:30' where id = $1`, [ids.auditor]);
  await acme.sql(`update {s}.credential set changed_at = '2026-05-25T10:00:00+05:30' where user_id = $1`, [
    ids.auditor,
  ]);
  await acme.sql(`insert into {s}.user_totp (user_id, secret, confirmed_at) values ($1, 'x', now()), ($2, 'x', null)`, [
    ids.auditor,
    ids.looker,
  ]);
});
afterAll(() => world.close());

const ask = (who: string, parameters: Record<string, unknown> = {}) =>
  askSource(world, acme, usersAndAccess, ids[who]!, { today: TODAY, parameters });
const names = async (parameters: Record<string, unknown>, who = 'admin') =>
  (await ask(who, parameters)).rows.map(({ username }) => username);

describe('users and access', () => {
  it('shows roles, companies, branches, products and account state of each user', async () => {
    const { rows } = await ask('auditor');
    expect(rows.map(({ username }) => username)).toEqual([
      'auditor',
      'admin',
      'gone',
      'looker',
      'new',
      'own',
      'program',
    ]);
    const of = (name: string) => rows.find(({ username }) => username === name);
    expect(of('auditor')).toMatchObject({
      user: ids.auditor,
      user__label: 'Asha Auditor',
      state: 'active',
      roles: 'Role 1',
      companies: 'Company 1',
      branches: null,
      products: 'All',
      days_idle: 91,
      two_step: true,
      password_age: 180,
    });
    expect(of('looker')).toMatchObject({
      roles: 'Role 1, Role 2',
      companies: 'Company 1, Company 2',
      branches: 'Pune',
      last_sign_in: null,
      days_idle: 1,
      two_step: false,
    });
    expect(of('admin')).toMatchObject({ roles: null, days_idle: 0 });
    expect(of('new')).toMatchObject({ state: 'invited', products: 'Field service' });
    expect(of('program')).toMatchObject({ two_step: null, password_age: null });
    expect(Object.keys(of('admin')!)).not.toContain('phc');
  });

  it('shows people by role, and used licences: active and invited, without service accounts', async () => {
    const { chart, figures } = await ask('auditor');
    expect(chart).toEqual({ x: ['Role 1', 'Role 2'], series: [{ title: 'People', values: [2, 2] }] });
    expect(figures).toEqual([
      { title: 'Licences in use', value: '5 of 50', note: 'active and invited, without service accounts' },
    ]);
  });

  it('is filtered by role, company, branch, state and idle days; role and company must be in one line', async () => {
    expect(await names({ role: ids.auditing })).toEqual(['auditor', 'looker']);
    expect(await names({ company: acme.entityIds[1] })).toEqual(['admin', 'looker', 'new']);
    expect(await names({ role: ids.auditing, company: acme.entityIds[1] })).toEqual([]);
    expect(await names({ branch: ids.pune })).toEqual(['looker']);
    expect(await names({ state: 'disabled' })).toEqual(['gone']);
    expect(await names({ idle_days: 91 })).toEqual(['auditor']);
    expect(await names({ idle_days: 92 })).toEqual([]);
    expect(await names({ idle_days: 1, state: 'invited' })).toEqual(['new']);
  });

  it('shows people limited to their own account only that', async () => {
    await acme.sql('update {s}.users set created_by = $1 where id = $1', [ids.own]);
    expect(await names({}, 'own')).toEqual(['own']);
  });
});

it('is for people who list users and may see the audit only', async () => {
  const list = await acme.role({ modules: ['USERS'], screens: { SCN_USERS: ['landing'] } });
  await acme.user('lister', { companies: [{ company: 1, roles: [list] }] });
  const [lister, looker] = await Promise.all([world.signIn(acme, 'lister'), world.signIn(acme, 'looker')]);
  expect((await lister.call('GET', '/tapi/report/users_and_access/rows')).statusCode).toBe(403);
  const answer = await looker.call('GET', '/tapi/report/users_and_access/rows?state=invited');
  expect(answer.json<{ data: ReportAnswer }>().data.rows).toMatchObject([
    { username: 'new', user__label: 'Person new' },
  ]);
  const refused = await looker.call('GET', '/tapi/report/users_and_access/rows?idle_days=-1');
  expect([refused.statusCode, refused.json<{ error: { field: string } }>().error.field]).toEqual([422, 'idle_days']);
});
