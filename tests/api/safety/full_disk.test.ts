import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskRoom, isDiskFull } from '../../../src/server/services/files/disk_room.ts';
import { upload } from '../multipart.ts';
import type { TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
beforeAll(async () => {
  world = await startWorld({ alone: true, types: [] });
  acme = await world.tenant({ products: [], everyTable: true });
  await acme.user('admin', { isAdmin: true });
});
afterAll(() => world.close());

const signIn = () =>
  world.inject({
    method: 'POST',
    url: '/api/sessions/login',
    headers: { host: acme.host, 'content-type': 'application/json' },
    payload: { email: 'admin', password: PASSWORD, prefix: '' },
  });
const ready = async () => (await world.inject({ url: '/readyz' })).statusCode;

test('a write without disk space is answered 503 with instructions, files are refused at once, and it recovers by itself', async () => {
  const admin = await world.signIn(acme, 'admin');
  const send = () => {
    const { payload, headers } = upload('note.txt', 'text');
    return admin.call('POST', '/tapi/files?for=comment', payload, headers);
  };
  expect(await ready()).toBe(200);
  // As PostgreSQL says it when its disk is full.
  await acme.sql(
    `create function {s}.full() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
  );
  await acme.sql('create trigger full_disk before insert on {s}.session for each row execute function {s}.full()');
  const refused = await signIn();
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
    503,
    '30',
    { error: { code: 'disk_full', message: expect.stringContaining('disk is full') as string } },
  ]);
  expect(await ready()).toBe(503);
  const file = await send();
  expect([file.statusCode, file.headers['retry-after'], file.json<{ error: { code: string } }>().error.code]).toEqual([
    503,
    '30',
    'disk_full',
  ]);
  // What only reads goes on.
  expect((await admin.call('GET', '/tapi/menu')).statusCode).toBe(200);

  await acme.sql('drop trigger full_disk on {s}.session');
  expect((await signIn()).statusCode).toBe(200);
  await expect.poll(ready, { timeout: 60_000, interval: 500 }).toBe(200);
  expect((await send()).json<{ error?: { code: string } }>().error?.code).not.toBe('disk_full');
});

test('a disk below its reserve is full until there is more space', async () => {
  const reserve = { mb: 1_000_000_000 };
  const disk = createDiskRoom(world.database.dataDir, () => reserve.mb);
  expect(await disk.hasRoom()).toBe(false);
  reserve.mb = 1;
  expect(await disk.hasRoom()).toBe(true);
  disk.wasFull();
  expect(await disk.hasRoom()).toBe(false);
});

test('every error code of a full disk is recognised anywhere in a chain of causes', () => {
  for (const code of ['53100', 'ENOSPC', 'EDQUOT']) {
    const error = Object.assign(new Error('write failed'), { code });
    expect(isDiskFull(error)).toBe(true);
    expect(isDiskFull(new Error('outer', { cause: error }))).toBe(true);
  }
  expect(isDiskFull(new Error('something else'))).toBe(false);
});
