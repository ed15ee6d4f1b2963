import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string };

let schemasDir: string;
let world: World;
let acme: TestTenant;
const by: Record<string, Caller> = {};
const roles: Record<string, number> = {};
const OFFER = 'quotation_erp';
const today = new Date().toISOString().slice(0, 10);

async function ok<T = Doc>(
  answer: Promise<{ statusCode: number; body: string; json<A>(): A }>,
  status = 200,
): Promise<T> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: T }>().data;
}

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'approvals-'));
  cpSync(join(import.meta.dirname, '../../../schemas'), schemasDir, { recursive: true });
  for (const file of readdirSync(join(import.meta.dirname, 'erp')))
    cpSync(join(import.meta.dirname, 'erp', file), join(schemasDir, 'fms', file));
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const offers = { SCN_ERP_QUOTATION: [...pages] };
  roles.sells = await acme.role({ modules: ['MASTERS'], screens: offers });
  roles.first = await acme.role({ modules: ['MASTERS'], screens: offers });
  roles.second = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_ERP_QUOTATION: [...pages, 'approval_screen'] },
  });
  await acme.user('admin', { isAdmin: true });
  for (const [name, role] of [
    ['seller', 'sells'],
    ['bina', 'first'],
    ['chand', 'first'],
    ['dev', 'second'],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [roles[role]!] }] });
  for (const name of ['admin', 'seller', 'bina', 'chand', 'dev']) by[name] = await world.signIn(acme, name);
  await ok(
    by.admin!.call('POST', '/tapi/approval_process', {
      name: 'Offers',
      transaction_type: OFFER,
      mode: 'cumulative',
      levels: [
        { level: 1, amount_from: '0', approver_by: 'role', role_id: roles.first, need: 'all' },
        { level: 2, amount_from: '100000.01', approver_by: 'role', role_id: roles.second, need: 'any_one' },
      ],
    }),
    201,
  );
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

const read = (id: number) => ok(by.seller!.call('GET', `/tapi/${OFFER}/${id}`));
const step = async (who: string, id: number, name: string, more: object = {}) =>
  by[who]!.call('POST', `/tapi/${OFFER}/${id}/${name}`, { version: (await read(id)).version, ...more });
async function submitted(rate: string): Promise<Doc> {
  const made = await ok(
    by.seller!.call('POST', `/tapi/${OFFER}`, {
      party: 'Towers',
      offered_on: today,
      valid_until: '2099-12-31',
      lines: [{ item: 'Rope', qty: '10', rate }],
    }),
    201,
  );
  return ok(step('seller', made.id, 'submit'));
}
const inbox = async (who: string) =>
  ok<(Row & { id: number })[]>(
    by[who]!.call(
      'GET',
      `/tapi/approval_request?filter=${encodeURIComponent('["state","eq","waiting"]')}&mine=1&columns=*`,
    ),
  );
const request = async (id: number) =>
  (await acme.sql<Row>(`select * from {s}.approval_request where record_id = $1 order by id desc limit 1`, [id]))[0]!;

describe('an approval', () => {
  it('is asked of the level of the amount, agreed by all of it, and then given', async () => {
    const offer = await submitted('1000.00');
    expect((await request(offer.id)).state).toBe('waiting');
    expect((await inbox('bina')).map(({ record_id: id }) => id)).toContain(offer.id);
    expect((await inbox('dev')).map(({ record_id: id }) => id)).not.toContain(offer.id);
    // The right to approve is not enough: others are asked.
    expect((await step('dev', offer.id, 'approve')).statusCode).toBe(403);
    expect((await step('seller', offer.id, 'approve')).statusCode).toBe(403);
    expect((await ok(step('bina', offer.id, 'approve'))).status).toBe('submitted');
    expect((await step('bina', offer.id, 'approve')).statusCode).toBe(403);
    expect((await ok(step('chand', offer.id, 'approve'))).status).toBe('approved');
    expect((await request(offer.id)).state).toBe('approved');
  });

  it('above the first band goes to the second level when the first has agreed', async () => {
    const offer = await submitted('20000.00');
    expect((await step('dev', offer.id, 'approve')).statusCode).toBe(403);
    await ok(step('bina', offer.id, 'approve'));
    await ok(step('chand', offer.id, 'approve'));
    expect(await request(offer.id)).toMatchObject({ state: 'waiting', current_level: 2 });
    const [waiting] = (await inbox('dev')).filter(({ record_id: id }) => id === offer.id);
    expect(waiting).toMatchObject({ amount: '200000.00', asked_by_id: by.seller!.userId });
    await ok(by.dev!.call('POST', `/tapi/approval_request/${waiting!.id}/approve`, {}));
    expect((await read(offer.id)).status).toBe('approved');
    expect((await by.dev!.call('POST', `/tapi/approval_request/${waiting!.id}/approve`, {})).statusCode).toBe(409);
  });

  it('goes back with a reason, and begins anew when it is asked again', async () => {
    const offer = await submitted('1000.00');
    await ok(step('bina', offer.id, 'approve'));
    expect((await step('chand', offer.id, 'send_back')).statusCode).toBe(422);
    await ok(step('chand', offer.id, 'send_back', { reason: 'Too cheap' }));
    expect((await read(offer.id)).status).toBe('draft');
    expect((await request(offer.id)).state).toBe('returned');
    await ok(step('seller', offer.id, 'submit'));
    expect((await ok(step('chand', offer.id, 'approve'))).status).toBe('submitted');
    expect((await ok(step('bina', offer.id, 'approve'))).status).toBe('approved');
  });

  it('is not needed below the condition, and withdrawn when the record goes elsewhere', async () => {
    expect((await submitted('1.00')).status).toBe('approved');
    const offer = await submitted('1000.00');
    await ok(step('seller', offer.id, 'lose', { reason: 'Gone' }));
    expect((await request(offer.id)).state).toBe('withdrawn');
    expect((await inbox('bina')).map(({ record_id: id }) => id)).not.toContain(offer.id);
  });

  it('that two people give at once counts both, and happens once', async () => {
    const offer = await submitted('1000.00');
    const { version } = await read(offer.id);
    const answers = await Promise.all(
      ['bina', 'chand'].map((who) => by[who]!.call('POST', `/tapi/${OFFER}/${offer.id}/approve`, { version })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await read(offer.id)).status).toBe('approved');
    expect(
      await acme.sql(
        `select 1 from {s}.transition_log where record_type = $1 and record_id = $2 and transition = 'approve'`,
        [OFFER, offer.id],
      ),
    ).toHaveLength(1);
  });

  it('is given for several at once from the list; what is not one’s own to give does not stop the others', async () => {
    const offers = [await submitted('1000.00'), await submitted('2000.00')];
    await ok(step('chand', offers[0]!.id, 'approve'));
    const ids = (await Promise.all(offers.map(({ id }) => request(id)))).map(({ id }) => id);
    const answer = await ok<{ changed: number[]; errors: Row[] }>(
      by.bina!.call('POST', '/tapi/approval_request/bulk/approve', { ids: [...ids, 999_999] }),
    );
    expect(answer).toMatchObject({ changed: ids, errors: [{ id: 999_999 }] });
    expect([(await read(offers[0]!.id)).status, (await read(offers[1]!.id)).status]).toEqual(['approved', 'submitted']);
    expect((await by.bina!.call('POST', '/tapi/approval_request/bulk/approve', { ids: 'all' })).statusCode).toBe(400);
  });

  it('that nobody can give refuses to be asked for, and nothing is kept', async () => {
    await acme.sql(`update {s}.users set status = 'disabled' where username in ('bina', 'chand')`);
    const made = await ok(
      by.seller!.call('POST', `/tapi/${OFFER}`, {
        party: 'Towers',
        offered_on: today,
        valid_until: '2099-12-31',
        lines: [{ item: 'Rope', qty: '10', rate: '1000' }],
      }),
      201,
    );
    const answer = await step('seller', made.id, 'submit');
    expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining('No approver found')]);
    expect(await read(made.id)).toMatchObject({ status: 'draft', offer_no: null });
    await acme.sql(`update {s}.users set status = 'active' where username in ('bina', 'chand')`);
    // The highest level is not left out because the first one has people.
    await acme.sql(`update {s}.users set status = 'disabled' where username = 'dev'`);
    const large = await ok(
      by.seller!.call('POST', `/tapi/${OFFER}`, {
        party: 'Towers',
        offered_on: today,
        valid_until: '2099-12-31',
        lines: [{ item: 'Rope', qty: '10', rate: '20000' }],
      }),
      201,
    );
    const refused = await step('seller', large.id, 'submit');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('level 2')]);
    await acme.sql(`update {s}.users set status = 'active' where username = 'dev'`);
  });

  it('is seen by those it concerns alone', async () => {
    const offer = await submitted('1000.00');
    const { id } = await request(offer.id);
    for (const [who, status] of [
      ['seller', 200],
      ['bina', 200],
      ['dev', 404],
    ] as const)
      expect((await by[who]!.call('GET', `/tapi/approval_request/${String(id)}`)).statusCode, who).toBe(status);
    const { version } = await ok(by.seller!.call('GET', `/tapi/approval_request/${String(id)}`));
    await by.seller!.call('PUT', `/tapi/approval_request/${String(id)}`, { version, state: 'approved' });
    expect((await request(offer.id)).state).toBe('waiting');
    expect((await read(offer.id)).status).toBe('submitted');
  });
});
