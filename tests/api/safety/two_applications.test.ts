import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientSettings } from '../../../src/server/services/settings/client_settings.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

interface One {
  world: World;
  acme: TestTenant;
  admin: Caller;
}

let first: One;
let second: One;

async function start(env: Record<string, string>): Promise<One> {
  const world = await startWorld({ env, alone: true, types: [] });
  const acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  return { world, acme, admin: await world.signIn(acme, 'admin') };
}

beforeAll(async () => {
  first = await start({ UPLOAD_MAX_MB: '3' });
  second = await start({ UPLOAD_MAX_MB: '7' });
});
afterAll(async () => {
  await first.world.close();
  await second.world.close();
});

test('each of two applications in one process uses its own configuration', async () => {
  const max = async ({ admin }: One) =>
    (await admin.call('GET', '/tapi/configuration/single/sources')).json<{
      data: { server: { upload_max_mb: { max: number } } };
    }>().data.server.upload_max_mb.max;
  expect(await max(first)).toBe(3);
  expect(await max(second)).toBe(7);
});

test('effects of a record in one application run there', async () => {
  for (const { world, acme, admin } of [first, second]) {
    const { payload, headers } = upload('round.srt', '1\n00:00:00,000 --> 00:00:02,000\nRavi: Lift 4 is down.\n');
    const file = await world.inject({
      method: 'POST',
      url: '/tapi/files?for=transcription.file',
      payload,
      headers: { host: acme.host, authorization: `Bearer ${admin.token}`, ...headers },
    });
    expect(file.statusCode, file.body).toBe(201);
    const made = await admin.call('POST', '/tapi/transcription', {
      title: 'Morning round',
      file: file.json<{ data: { id: number } }>().data.id,
      language: 'en',
      consent: true,
      visibility: 'private',
    });
    expect(made.statusCode, made.body).toBe(201);
    // Its file lies in the folder of its own application.
    const { id } = made.json<{ data: { id: number } }>().data;
    expect(await acme.sql('select state from {s}.transcription where id = $1', [id])).toEqual([{ state: 'done' }]);
  }
});

test('cached data of one application is not used by the other', async () => {
  // Both have a client of one name: each goes by the settings in its own database.
  const named = async ({ world }: One, days: number) => {
    const db = world.database.directory.main;
    await db.query('create schema if not exists twin');
    await db.query(
      'create table if not exists twin.configuration (id bigint, active boolean, delegation_max_days integer)',
    );
    await db.query('insert into twin.configuration values (1, true, $1)', [days]);
    await db.query(
      'create table if not exists twin.setting_override (record_type text, entity_id bigint, values jsonb)',
    );
    return db;
  };
  const [one, other] = [await named(first, 11), await named(second, 22)];
  expect((await clientSettings({ schema: 'twin', db: one })).delegation_max_days).toBe(11);
  expect((await clientSettings({ schema: 'twin', db: other })).delegation_max_days).toBe(22);
  expect((await clientSettings({ schema: 'twin', db: one })).delegation_max_days).toBe(11);
});
