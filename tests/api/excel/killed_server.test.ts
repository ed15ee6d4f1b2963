import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../multipart.ts';
import { startServerProcess } from '../server_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ alone: true, types: ['lift_make_mstr'] });
  const away = await world.tenant({ companies: 0 });
  acme = await world.tenant({ companies: 1 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  // Another client, whose database is away: what ends the runs of gone servers passes over it.
  await platformSql(world.database.directory.main, `update public.client set database = 'away' where id = $1`, [
    away.id,
  ]);
});
afterAll(() => world.close());

const TYPE = 'lift_make_mstr';

test('an import whose server is killed while it writes is interrupted at the next start, stored nothing, and can be done again', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `K${at},Killed ${at},Current`);
  const file = upload('killed.csv', `Code,Name,Maker's support\n${lines.join('\n')}\n`);
  const state = async (id: number) =>
    (await admin.call('GET', `/tapi/import/${id}`)).json<{ data: { state: string; message: string | null } }>().data;
  const count = async () =>
    (await acme.sql<{ count: number }>(`select count(*)::int as count from {s}.${TYPE}`))[0]!.count;
  const becomes = (id: number, wanted: string) =>
    expect.poll(async () => (await state(id)).state, { timeout: 60_000 }).toBe(wanted);

  const server = await startServerProcess(world.database, { SCHEMAS_DIR: world.schemasDir });
  const authorization = `Bearer ${admin.token}`;
  const call = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await server.call(acme.host, 'POST', path, body, { ...headers, authorization });
    expect(answer.status, answer.body).toBe(202);
    return (JSON.parse(answer.body) as { data: { id: number } }).data.id;
  };
  const id = await call(`/tapi/${TYPE}/import?mode=all_or_nothing`, file.payload, file.headers);
  await becomes(id, 'checked');
  await acme.db.transaction(async (tx) => {
    // Its rows are on their way and cannot be stored before the server is gone.
    await tx.query(`lock table "${acme.schema}"."${TYPE}" in share mode`);
    await call(`/tapi/import/${id}/commit`, {});
    await expect
      .poll(
        async () =>
          (
            await acme.sql<{ waiting: number }>(
              `select count(*)::int as waiting from pg_locks where not granted and relation = '{s}.${TYPE}'::regclass`,
            )
          )[0]!.waiting,
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    expect(await state(id)).toMatchObject({ state: 'writing' });
    await server.kill();
  });
  await expect
    .poll(
      async () => {
        await world.app.endInterruptedRuns();
        return state(id);
      },
      { timeout: 60_000 },
    )
    .toMatchObject({
      state: 'interrupted',
      message: 'The server stopped while this import was being written. Nothing was stored. Choose the file again.',
    });
  expect(await count()).toBe(0);

  const again = await admin.call('POST', `/tapi/${TYPE}/import?mode=all_or_nothing`, file.payload, file.headers);
  const { id: second } = again.json<{ data: { id: number } }>().data;
  await becomes(second, 'checked');
  expect((await admin.call('POST', `/tapi/import/${second}/commit`, {})).statusCode).toBe(202);
  await becomes(second, 'imported');
  expect(await count()).toBe(200);
}, 150_000);
