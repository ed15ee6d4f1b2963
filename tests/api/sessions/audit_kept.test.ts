import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read, utils } from 'xlsx';
import { brokenAuditEntry } from '../../../src/server/platform/upkeep/audit_chain.ts';
import { auditHash, chainWaiting } from '../../../src/server/services/audit/audit.ts';
import { startServerProcess } from '../server_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

type Row = Record<string, unknown>;
/** Acts that are answered before the process is ended. */
const ACTS = 120;
const AT_ONCE = 8;

describe('an entry of the activity log', () => {
  it('exists for every answered and every stored act when the process is killed under load', async () => {
    const server = await startServerProcess(world.database, { SCHEMAS_DIR: world.schemasDir });
    const headers = { authorization: `Bearer ${admin.token}` };
    const roles: number[] = [];
    const deactivated: number[] = [];
    let signedIn = 0;
    let made = 0;
    let killed: Promise<void> | undefined;
    const answered = () => {
      if (roles.length + deactivated.length >= ACTS) killed ??= server.kill();
    };
    // What is under way when the process ends is refused by the network.
    const work = async (): Promise<void> => {
      while (killed === undefined) {
        const n = ++made;
        const role = await server.call(
          acme.host,
          'POST',
          '/tapi/role',
          { code: `K${n}`, role_name: `Kept ${n}` },
          headers,
        );
        if (role.status !== 201) throw new Error(role.body);
        const { data } = JSON.parse(role.body) as { data: { id: number; version: number } };
        roles.push(data.id);
        answered();
        const off = await server.call(
          acme.host,
          'POST',
          `/tapi/role/${data.id}/deactivate`,
          { version: data.version },
          headers,
        );
        if (off.status !== 200) throw new Error(off.body);
        deactivated.push(data.id);
        answered();
      }
    };
    const signIns = async (): Promise<void> => {
      while (killed === undefined) {
        const answer = await server.call(acme.host, 'POST', '/api/sessions/login', {
          email: 'admin',
          password: PASSWORD,
          prefix: '',
        });
        if (answer.status === 200) signedIn++;
      }
    };
    const ended = await Promise.allSettled([...Array.from({ length: AT_ONCE }, work), signIns()]);
    await killed;
    for (const one of ended)
      if (one.status === 'rejected')
        expect(String(one.reason), 'refused by the network alone').toMatch(/ECONN|hang up/);
    expect(roles.length + deactivated.length).toBeGreaterThanOrEqual(ACTS);
    expect(signedIn).toBeGreaterThan(0);

    await chainWaiting(acme);
    const of = async (action: string) =>
      new Set(
        (await acme.sql<{ id: number }>('select target_id as id from {s}.audit_log where action = $1', [action])).map(
          ({ id }) => id,
        ),
      );
    const [added, off] = [await of('role.add'), await of('deactivate')];
    expect(roles.filter((id) => !added.has(id))).toEqual([]);
    expect(deactivated.filter((id) => !off.has(id))).toEqual([]);
    // Also what was stored without having been answered: both commit together.
    expect(
      await acme.sql(
        `select id from {s}.role r where code like 'K%' and not exists (select 1 from {s}.audit_log a where a.action = 'role.add' and a.target_id = r.id)`,
      ),
    ).toEqual([]);
    expect(
      await acme.sql(
        `select id from {s}.role r where code like 'K%' and not active and not exists (select 1 from {s}.audit_log a where a.action = 'deactivate' and a.target_id = r.id)`,
      ),
    ).toEqual([]);
    expect(
      await acme.sql(
        `select sid from {s}.session x where not exists (select 1 from {s}.audit_log a where a.action = 'login' and a.sid = x.sid::text)`,
      ),
    ).toEqual([]);
    expect(await brokenAuditEntry(acme)).toBeNull();
  });

  it('is not stored when its change is rolled back', async () => {
    const before = await acme.sql('select 1 from {s}.audit_log');
    await acme.sql(
      `create function {s}.refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    );
    await acme.sql(
      `create constraint trigger refuse_commit after insert on {s}.role deferrable initially deferred for each row execute function {s}.refuse_commit()`,
    );
    const refused = await admin.call('POST', '/tapi/role', { code: 'UNDONE', role_name: 'Undone' });
    expect(refused.statusCode).toBe(500);
    await acme.sql('drop trigger refuse_commit on {s}.role');
    await chainWaiting(acme);
    expect(await acme.sql('select 1 from {s}.audit_log')).toHaveLength(before.length);
  });

  it('exists for actions of a key, among those of everybody else', async () => {
    const service = await acme.user('erp', { isAdmin: true });
    await acme.sql('update {s}.users set is_service = true where id = $1', [service]);
    const made = await admin.call('POST', '/tapi/api_config', {
      name: 'ERP',
      direction: 'inbound',
      service_user_id: service,
      expires_on: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
    });
    expect(made.statusCode, made.body).toBe(201);
    const { key, data } = made.json<{ key: string; data: { id: number } }>();
    const [byKey, byPerson] = await Promise.all([
      world.inject({
        method: 'POST',
        url: '/tapi/role',
        headers: { host: acme.host, authorization: `Bearer ${key}` },
        payload: { code: 'BYKEY', role_name: 'By key' },
      }),
      admin.call('POST', '/tapi/role', { code: 'BYPERSON', role_name: 'By person' }),
    ]);
    expect([byKey.statusCode, byPerson.statusCode]).toEqual([201, 201]);
    await chainWaiting(acme);
    const rows = await acme.sql<Row>(
      `select a.actor_user_id as actor, a.sid from {s}.audit_log a join {s}.role r on r.id = a.target_id where a.action = 'role.add' and r.code in ('BYKEY', 'BYPERSON') order by r.code`,
    );
    expect(rows).toEqual([
      { actor: service, sid: `key/${data.id}` },
      { actor: admin.userId, sid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
    ]);
  });
});

describe('the chain', () => {
  it('reveals a missing entry: in the middle, the first and the newest, and after later additions', async () => {
    await chainWaiting(acme);
    expect(await brokenAuditEntry(acme)).toBeNull();
    const seqs = (await acme.sql<{ seq: number }>('select seq from {s}.audit_log order by seq')).map(({ seq }) => seq);
    const newest = seqs.at(-1)!;
    for (const [gone, found] of [
      [seqs[5]!, seqs[6]!],
      [seqs[0]!, seqs[1]!],
      [newest, newest],
    ]) {
      const kept = await acme.sql<Row>('delete from {s}.audit_log where seq = $1 returning *', [gone]);
      expect(await brokenAuditEntry(acme)).toBe(found);
      const verify = await admin.call('GET', '/tapi/audit_log/verify');
      expect(verify.json()).toEqual({ data: { whole: false, broken_at: found } });
      await acme.sql('insert into {s}.audit_log select * from jsonb_populate_record(null::{s}.audit_log, $1)', [
        JSON.stringify(kept[0]),
      ]);
    }
    await acme.sql('delete from {s}.audit_log where seq = $1', [newest]);
    await admin.call('POST', '/tapi/role', { code: 'LATER', role_name: 'Later' });
    expect(await brokenAuditEntry(acme)).toBeGreaterThan(newest);
  });
});

/** Another value of a column; of what is empty, one that fits its type. */
const OTHER: Record<string, string> = {
  seq: 'seq + 1000000',
  at: `at + interval '1 microsecond'`,
  diff: `coalesce(diff, '{}') || '{"name": ["Asha", "Arun"]}'`,
};
const other = (column: string, type: string) =>
  OTHER[column] ?? (type === 'bigint' ? `coalesce(${column}, 0) + 1` : `coalesce(${column}, '') || 'x'`);

describe('the chain covers every column', () => {
  const columns = () =>
    acme.sql<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = '{s}.audit_log'::regclass and attnum > 0 and not attisdropped`,
    );

  it('for an entry in the middle and for the newest', async () => {
    // Whole again after what the test before took away.
    await acme.sql('truncate {s}.audit_log, {s}.audit_head');
    for (const name of ['First', 'Second', 'Third'])
      await admin.call('POST', '/tapi/role', { code: name.toUpperCase(), role_name: name });
    await chainWaiting(acme);
    expect(await brokenAuditEntry(acme)).toBeNull();
    const seqs = (await acme.sql<{ seq: number }>('select seq from {s}.audit_log order by seq')).map(({ seq }) => seq);
    expect(seqs.length).toBeGreaterThanOrEqual(3);
    const unnoticed: string[] = [];
    for (const seq of [seqs[1]!, seqs.at(-1)!])
      for (const { name, type } of await columns()) {
        const [kept] = await acme.sql<Row>('select * from {s}.audit_log where seq = $1', [seq]);
        const [changed] = await acme.sql<{ seq: number }>(
          `update {s}.audit_log set ${name} = ${other(name, type)} where seq = $1 returning seq`,
          [seq],
        );
        if ((await brokenAuditEntry(acme)) === null)
          unnoticed.push(`${name} of ${seq === seqs[1] ? 'the middle' : 'the newest'}`);
        await acme.sql('delete from {s}.audit_log where seq = $1', [changed!.seq]);
        await acme.sql('insert into {s}.audit_log select * from jsonb_populate_record(null::{s}.audit_log, $1)', [
          JSON.stringify(kept),
        ]);
        expect(await brokenAuditEntry(acme), name).toBeNull();
      }
    expect(unnoticed).toEqual([]);
  });

  it('entries of earlier releases are valid by their own rule, and none follows a current one', async () => {
    const old = await world.tenant();
    await old.user('boss', { isAdmin: true });
    const at = '2024-03-01T10:00:00.000Z';
    const insert = (previous: string, hash: string) =>
      old.sql(
        `insert into {s}.audit_log (at, actor_user_id, action, target_type, target_id, summary, prev_hash, hash) values ($1, 1, 'login', 'user', 1, 'from then', $2, $3)`,
        [at, previous, hash],
      );
    const first = auditHash('0'.repeat(64), { at, actor: 1, action: 'login', target: 'user:1' });
    await insert('0'.repeat(64), first);
    await world.signIn(old, 'boss');
    await chainWaiting(old);
    expect(await brokenAuditEntry(old)).toBeNull();
    const [newest] = await old.sql<{ seq: number; hash: string }>(
      'select seq, hash from {s}.audit_log order by seq desc limit 1',
    );
    await insert(newest!.hash, auditHash(newest!.hash, { at, actor: 1, action: 'login', target: 'user:1' }));
    expect(await brokenAuditEntry(old)).toBe(newest!.seq + 1);
    await old.sql('delete from {s}.audit_log where seq > $1', [newest!.seq]);
    await old.sql(`update {s}.audit_log set action = 'logout' where hash = $1`, [first]);
    expect(await brokenAuditEntry(old)).not.toBeNull();
  });
});

it('the export shortens texts that exceed a cell, and says so', async () => {
  const summary = 'long '.repeat(20_000);
  await world.app.services.tenants.bySubDomain(acme.subDomain);
  await acme.sql(`insert into {s}.audit_waiting (entry) values ($1)`, [
    JSON.stringify({ at: new Date().toISOString(), actor: admin.userId, action: 'long', summary, diff: { summary } }),
  ]);
  const file = await admin.call('GET', '/tapi/audit_log/export.xlsx?action=long');
  expect(file.statusCode, file.body.slice(0, 200)).toBe(200);
  const [row] = utils.sheet_to_json<Record<string, string>>(read(file.rawPayload).Sheets.Sheet1!);
  for (const text of [row!.Summary!, row!.Change!]) {
    expect(text.length).toBeLessThanOrEqual(32_767);
    expect(text).toMatch(/ … \[Cut: a cell holds 32,767 characters/);
  }
});
