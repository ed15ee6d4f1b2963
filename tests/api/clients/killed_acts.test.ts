import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LongRun } from '../../../src/server/platform/clients/lifecycle.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { killedProcess } from '../killed_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, startWorld } from '../world.ts';
import { platformPerson } from './platform_people.ts';

vi.setConfig({ testTimeout: 200_000, hookTimeout: 120_000 });

let world: World;
let root: Caller;
let second: Caller;
let number = 0;
const main = () => world.database.directory.main;
const picture = Buffer.from('a picture');
const PICTURE = createHash('sha256').update(picture).digest('hex');

beforeAll(async () => {
  world = await startWorld({ alone: true, types: [] });
  await writeUserTypes(main());
  [root, second] = [await platformPerson(world, 'SUPER'), await platformPerson(world, 'SUPER')];
  for (const type of ['product', 'client_account']) await root.call('GET', `/api/${type}`);
});
afterAll(() => world.close());

interface Client {
  id: number;
  tenant: TestTenant;
  /** What the client has that must never be lost or doubled. */
  rows(): Promise<unknown>;
}

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}

/** A client with a file and a row, switched off long ago. */
async function leaving(): Promise<Client> {
  const tenant = await world.tenant({ suffix: `k${++number}` });
  await tenant.sql(`insert into {s}.file (name, size, type, sha256, path) values ('one.png', 9, 'image/png', $1, $2)`, [
    PICTURE,
    `${PICTURE.slice(0, 2)}/${PICTURE}`,
  ]);
  mkdirSync(join(folder('files'), tenant.schema, PICTURE.slice(0, 2)), { recursive: true });
  writeFileSync(place(tenant), picture);
  const [row] = await main().query<{ id: number }>(
    `insert into public.client_account (code, name, sub_domain, state, state_since, legal_name, plan, licensed_users, valid_from, valid_to, contact_name, contact_email, admin_name, admin_email, admin_username)
     values ($1, $1, $1, 'deactivated', current_date - 400, $1, 'standard', 5, current_date - 30, current_date + 100, 'R. Iyer', 'it@acme.in', 'Asha', 'asha@example.in', 'asha') returning id`,
    [tenant.subDomain],
  );
  await platformSql(main(), 'update public.client set active = false where id = $1', [tenant.id]);
  return {
    id: row!.id,
    tenant,
    rows: () => tenant.sql('select id, name, sha256 from {s}.file order by id'),
  };
}

const folder = (name: string) => join(world.database.dataDir, name);
const place = ({ schema }: TestTenant) => join(folder('files'), schema, PICTURE.slice(0, 2), PICTURE);
const listed = (name: string) => (existsSync(folder(name)) ? readdirSync(folder(name)) : []);
/** Files of the platform itself. */
const inPublic = () =>
  existsSync(join(folder('files'), 'public'))
    ? readdirSync(join(folder('files'), 'public'), { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile(),
      )
    : [];
/** Everything on disk that is named after the client. */
const onDisk = ({ tenant: { schema, subDomain } }: Client) =>
  [
    ...listed('files').filter((name) => name === schema || name.startsWith(`${schema}.`)),
    ...listed('archives'),
    ...listed('exports'),
  ].filter((name) => name.startsWith(schema) || name.startsWith(`${subDomain}-`));
const schemaThere = async ({ tenant }: Client) =>
  (await main().query('select 1 from pg_namespace where nspname = $1', [tenant.schema])).length > 0;
const act = async (who: Caller, { id }: Client, name: string, body: object = {}) => {
  const answer = await who.call('POST', `/api/client_account/${id}/${name}`, body);
  expect(answer.statusCode, answer.body).toBe(202);
};
const lifeOf = async ({ id }: Client) =>
  (await root.call('GET', `/api/client_account/${id}/life`)).json<{
    data: { client: { state: string }; runs: LongRun[]; events: { event: string }[] };
  }>().data;

/** Runs what waits in a process of its own that is killed when each run stands before its step. @returns which it killed */
const killedAt = (steps: readonly number[]) =>
  killedProcess(join(import.meta.dirname, 'killed_act_child.ts'), world.database, steps, {
    SCHEMAS_DIR: world.schemasDir,
  });
/** As many as an act has steps, and more: each is killed before another step, the last not at all. */
const steps = (length: number) => Array.from({ length }, (_, step) => step);

/** What the server does that is there when the other one was killed: nothing waits for the end of a lease. */
const takenUp = async (client: Client, name: string) => {
  await expect
    .poll(
      async () => {
        await world.app.jobs.drain();
        return (await lifeOf(client)).runs[0];
      },
      { timeout: 60_000 },
    )
    .toMatchObject({ act: name, state: 'done', error: null });
};
const events = async (client: Client, name: string) =>
  (await lifeOf(client)).events.filter(({ event }) => event === name).length;

/** As it was before it was archived and restored. */
const leavesAgain = async ({ id, tenant }: Client) => {
  await main().query(
    `update public.client_account set state = 'deactivated', state_since = current_date - 400 where id = $1`,
    [id],
  );
  await platformSql(main(), 'update public.client set active = false where id = $1', [tenant.id]);
};

describe('killing the server before any step lets the next attempt finish', () => {
  /** One for every step that an act has, and more. */
  let clients: Client[];
  beforeAll(async () => {
    clients = await inTurn(steps(12), leaving);
  });

  it('archiving and restoring a client leaves all data either in the archive or in its tables', async () => {
    const eachStep = steps(clients.length);
    const before = await inTurn(clients, (client) => client.rows());
    for (const client of clients) await act(root, client, 'archive');
    expect((await killedAt(eachStep)).at(-1)).toBe(false);
    for (const client of clients) {
      await takenUp(client, 'archive');
      expect((await lifeOf(client)).client.state).toBe('archived');
      expect(await schemaThere(client)).toBe(false);
      expect(onDisk(client)).toEqual([expect.stringMatching(/^[\w-]+-\d{14}\.archive$/)]);
      expect(await events(client, 'archived')).toBe(1);
    }
    for (const client of clients) await act(root, client, 'restore');
    expect((await killedAt(eachStep)).at(-1)).toBe(false);
    for (const [n, client] of clients.entries()) {
      await takenUp(client, 'restore');
      expect((await lifeOf(client)).client.state).toBe('active');
      expect(await client.rows()).toEqual(before[n]);
      expect(readFileSync(place(client.tenant))).toEqual(picture);
      expect(onDisk(client)).toEqual([client.tenant.schema]);
      expect(await events(client, 'restored')).toBe(1);
    }
  });

  it('an export leaves exactly one file, or none after a purge', async () => {
    const exporting = clients.slice(0, 10);
    const eachStep = steps(exporting.length);
    for (const client of clients) await leavesAgain(client);
    const exported = async ({ tenant }: Client) =>
      (
        await main().query<{ sha256: string }>('select sha256 from public.file where name = $1', [
          `${tenant.subDomain}-data.zip`,
        ])
      ).map(({ sha256 }) => existsSync(join(folder('files'), 'public', sha256.slice(0, 2), sha256)));
    for (const client of exporting) await act(root, client, 'export_data');
    const killed = await killedAt(eachStep);
    expect(killed.at(-1)).toBe(false);
    for (const client of exporting) {
      await takenUp(client, 'export');
      expect(await exported(client)).toEqual([true]);
      expect(onDisk(client)).toEqual([client.tenant.schema]);
    }
    // Of another one that was killed and not taken up, too, nothing is left by a purge.
    const client = exporting[0]!;
    await act(root, client, 'export_data');
    expect(await killedAt([killed.indexOf(false) - 2])).toEqual([true]);
    writeFileSync(join(folder('exports'), `${client.tenant.subDomain}-1700000000000.zip`), 'half');
    await main().query(`update public.job set state = 'failed' where name = 'client_export' and state = 'running'`);
    await act(root, client, 'archive');
    await world.app.jobs.drain();
    await main().query('update public.client_account set state_since = current_date - 400 where id = $1', [client.id]);
    await act(root, client, 'purge', { confirm: client.tenant.subDomain });
    await act(second, client, 'purge', { confirm: client.tenant.subDomain });
    await world.app.jobs.drain();
    expect((await lifeOf(client)).client.state).toBe('purged');
    expect([await exported(client), onDisk(client)]).toEqual([[], []]);
    expect(inPublic()).toHaveLength(exporting.length - 1);
  });

  it('purging a client leaves nothing but one certificate', async () => {
    const eachStep = steps(10);
    const purged = await inTurn(eachStep, leaving);
    for (const client of purged) await act(root, client, 'archive');
    await world.app.jobs.drain();
    for (const client of purged) {
      await main().query('update public.client_account set state_since = current_date - 400 where id = $1', [
        client.id,
      ]);
      await act(root, client, 'purge', { confirm: client.tenant.subDomain });
      await act(second, client, 'purge', { confirm: client.tenant.subDomain });
    }
    expect((await killedAt(eachStep)).at(-1)).toBe(false);
    for (const client of purged) {
      await takenUp(client, 'purge');
      expect((await lifeOf(client)).client.state).toBe('purged');
      expect([onDisk(client), await schemaThere(client), await events(client, 'purged')]).toEqual([[], false, 1]);
      expect(await main().query('select 1 from public.client where id = $1', [client.tenant.id])).toEqual([]);
      expect(
        await main().query('select 1 from pg_roles where rolname = $1', [
          `${new URL(world.database.databaseUrl).pathname.slice(1)}.${client.tenant.schema}`,
        ]),
      ).toEqual([]);
    }
  });
});

it('an archive that does not fit the current fields is refused with a message on the page, and kept', async () => {
  const client = await leaving();
  const { tenant } = client;
  await ensureTables(tenant, world.app.store.screens(), ['zone']);
  // As a release left it in which codes were longer.
  await tenant.sql(
    `do $do$ declare c text; begin for c in select conname from pg_constraint where conrelid = '{s}.zone'::regclass and contype = 'c' loop execute format('alter table {s}.zone drop constraint %I', c); end loop; end $do$`,
  );
  await tenant.sql(
    `update {s}.schema_state set hash = 'earlier', form = jsonb_set(form, '{fields,code,rules,maxLength}', '500') where type = 'zone'`,
  );
  await tenant.sql(`insert into {s}.zone (code, name) values (repeat('N', 300), 'North')`);
  await act(root, client, 'archive');
  await world.app.jobs.drain();
  const archived = onDisk(client);
  await act(root, client, 'restore');
  await world.app.jobs.drain();
  const { client: record, runs } = await lifeOf(client);
  expect([record.state, runs[0]]).toMatchObject([
    'archived',
    {
      act: 'restore',
      state: 'failed',
      error: expect.stringContaining(
        'change the limits of Code: not done, rows hold values that the field no longer takes (1 row, such as North, NNN',
      ) as string,
    },
  ]);
  expect(runs[0]!.error).toContain('Fields have changed since this backup was made');
  expect([onDisk(client), await schemaThere(client)]).toEqual([archived, false]);
});
