import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;
let guest: Caller;

const ENTRIES = [
  { code: 'mine.region', name: 'My regions', route: '/region?mine=1', icon: 'Globe', screen_flags: ['SCN_REGION'] },
  { code: 'mine.team', name: 'My team', route: '/team_list', icon: 'People' },
  { code: 'mine.nowhere', name: 'Nothing', route: '/nothing_serves_this', icon: 'Globe' },
];

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'my-zone-'));
  copySchemas(schemasDir);
  const menu = JSON.parse(readFileSync(join(schemasDir, 'menu.json'), 'utf8')) as object;
  writeFileSync(join(schemasDir, 'menu.json'), JSON.stringify({ ...menu, my_zone: ENTRIES }));
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  await acme.user('guest');
  [admin, guest] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'guest')]);
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

const zone = async (caller: Caller) =>
  (await caller.call('GET', '/tapi/my_zone')).json<{ data: { code: string; count: number | null; more: boolean }[] }>()
    .data;

it('counts one’s own work, also for an administrator, and leaves out entries without a function', async () => {
  expect(await zone(admin)).toEqual([
    { code: 'mine.region', name: 'My regions', route: '/region?mine=1', icon: 'Globe', count: 0, more: false },
    { code: 'mine.team', name: 'My team', route: '/team_list', icon: 'People', count: null, more: false },
  ]);
  await acme.sql(
    `insert into {s}.region (code, name, created_by) select 'R' || n, 'Region ' || n, case when n <= 2 then $1::bigint end from generate_series(1, 5) n`,
    [admin.userId],
  );
  expect((await zone(admin))[0]).toMatchObject({ count: 2, more: false });
});

it('stops counting at 99', async () => {
  await acme.sql('update {s}.region set created_by = $1', [admin.userId]);
  await acme.sql(
    `insert into {s}.region (code, name, created_by) select 'S' || n, 'South ' || n, $1 from generate_series(1, 95) n`,
    [admin.userId],
  );
  expect((await zone(admin))[0]).toMatchObject({ count: 99, more: true });
});

it('has no entry without the right', async () => {
  expect((await zone(guest)).map(({ code }) => code)).toEqual(['mine.team']);
});
