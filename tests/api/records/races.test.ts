import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

vi.setConfig({ testTimeout: 300_000 });

let world: World;
let acme: TestTenant;
let admin: Caller;
let writer: PoolClient;

beforeAll(async () => {
  world = await startWorld({ alone: true, types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
  for (const type of ['zone', 'region']) await admin.call('GET', `/tapi/${type}`);
  writer = await acme.db.owner.connect();
});
afterAll(async () => {
  writer.release();
  await world.close();
});

const as = (text: string) => writer.query(text.replaceAll('{s}', acme.schema));
/** Somebody waits for what the other writer has not committed yet. */
const someoneWaits = () =>
  expect
    .poll(
      async () =>
        (
          await world.database.directory.main.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
const error = (answer: { json: () => unknown }) => (answer.json() as { error?: Record<string, unknown> }).error;

test('of two people who enter the same code at the same moment, one is told that it exists', async () => {
  await as(`begin; insert into {s}.zone (code, name) values ('S', 'Nobody sees it')`);
  const both = ['South', 'Southern'].map((name) => admin.call('POST', '/tapi/zone', { code: 'S', name }));
  await someoneWaits();
  await as('rollback');
  const answers = (await Promise.all(both)).sort((a, b) => a.statusCode - b.statusCode);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 409]);
  const said = { field: 'code', message: 'Code S already exists.' };
  expect(error(answers[1]!)).toMatchObject({ code: 'duplicate', ...said, details: [said] });
});

test('a record that refers to one deleted at the same moment names the field', async () => {
  const { id } = (await admin.call('POST', '/tapi/zone', { code: 'N', name: 'North' })).json<{ data: { id: number } }>()
    .data;
  await as(`begin; delete from {s}.zone where id = ${id}`);
  const added = admin.call('POST', '/tapi/region', { code: 'DL', name: 'Delhi', zone_id: id });
  await someoneWaits();
  await as('commit');
  const answer = await added;
  expect([answer.statusCode, error(answer)]).toEqual([422, expect.objectContaining({ field: 'zone_id' })]);
  expect(error(answer)!.message).toMatch(/Zone/);
});

test('a record that is referenced at the same moment is not deleted', async () => {
  const { id, version } = (await admin.call('POST', '/tapi/zone', { code: 'E', name: 'East' })).json<{
    data: { id: number; version: number };
  }>().data;
  await as(`begin; insert into {s}.region (code, name, zone_id) values ('WB', 'Bengal', ${id})`);
  const removed = admin.call('DELETE', `/tapi/zone/${id}?version=${version}`);
  await someoneWaits();
  await as('commit');
  const answer = await removed;
  expect([answer.statusCode, error(answer)]).toEqual([409, expect.objectContaining({ code: 'in_use' })]);
});

test('a text longer than its column is refused with a message', async () => {
  await acme.sql('alter table {s}.zone alter column name type varchar(8)');
  const answer = await admin.call('POST', '/tapi/zone', { code: 'W', name: 'Western Ghats' });
  expect([answer.statusCode, error(answer)]).toEqual([
    422,
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining('too long') }),
  ]);
});
