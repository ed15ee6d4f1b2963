import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageType } from '../../../src/descriptor/types.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

/** A request that somebody makes and another decides; nothing of it is programmed. */
const REQUEST = {
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title: 'Request',
  access: { screen: 'SCN_T_REQUEST', action: null },
  scope: 'entity',
  label: ['subject'],
  schema: {
    required: ['subject', 'state'],
    properties: {
      subject: { $ref: 'types#text' },
      buyer_id: { $ref: 'types#ref', 'x-ref': 'employee' },
      total: { $ref: 'types#money' },
      state: { enum: ['draft', 'waiting', 'approved', 'refused'], default: 'draft', readOnly: true },
      reason: { $ref: 'types#text', readOnly: true, 'x-required-when': "state == 'refused'" },
    },
  },
  flow: {
    field: 'state',
    start: ['draft'],
    moves: { draft: ['waiting'], waiting: ['approved', 'refused', 'draft'], refused: ['draft'] },
    approve: {
      moves: { waiting: ['approved', 'refused'] },
      asked: ['created_by', 'updated_by', 'buyer_id'],
      amount: 'total',
    },
  },
  actions: [
    { title: 'Ask', move: 'waiting' },
    { title: 'Take back', move: 'draft' },
    { title: 'Approve', move: 'approved' },
    { title: 'Refuse', move: 'refused', ask: { reason: 'Why?' } },
  ],
};

let world: World;
let acme: TestTenant;
let schemasDir: string;
const callers: Record<string, Caller> = {};
const ids: Record<string, number> = {};

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-approval-')), 'schemas');
  cpSync(join(import.meta.dirname, '../../../schemas'), schemasDir, { recursive: true });
  writeFileSync(join(schemasDir, 'organisation', 't_request.json'), JSON.stringify(REQUEST));
  writeFileSync(
    join(schemasDir, 'organisation', 't_free_request.json'),
    JSON.stringify({
      ...REQUEST,
      title: 'Free request',
      schema: {
        ...REQUEST.schema,
        properties: { ...REQUEST.schema.properties, state: { ...REQUEST.schema.properties.state, readOnly: false } },
      },
      access: { screen: 'SCN_T_FREE', action: null },
    }),
  );
  world = await startWorld({ schemasDir, alone: true });
  acme = await world.tenant();
  const all: PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen'];
  const role = (pages: PageType[], scope: 'own' | 'company') =>
    acme.role({ modules: ['MASTERS'], screens: { SCN_T_REQUEST: { pages, scope }, SCN_T_FREE: { pages, scope } } });
  const asker = await role(all.slice(0, 4), 'company');
  const decider = await role(['landing', 'view_screen', 'approval_screen'], 'company');
  const both = await role(all, 'company');
  const ofOwn = await role(['landing', 'view_screen', 'approval_screen'], 'own');
  const nothing = await acme.role({ modules: ['MASTERS'] });
  for (const { name } of await acme.sql<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
  ))
    await acme.sql(`alter table {s}.employee alter column "${name}" drop not null`);
  for (const [name, held] of [
    ['asha', asker],
    ['boss', decider],
    ['lead', both],
    ['narrow', ofOwn],
    ['clerk', nothing],
  ] as const) {
    const [row] = await acme.sql<{ id: number }>(
      `insert into {s}.employee (entity_id, empno, first_name, name, status) values ($1, $2, $2, initcap($2), 'active') returning id`,
      [acme.entityIds[0], name],
    );
    ids[name] = row!.id;
    await acme.user(name, { companies: [{ company: 1, roles: [held] }] });
    await acme.sql('update {s}.users set employee_id = $1, name = initcap($2) where username = $2', [row!.id, name]);
    callers[name] = await world.signIn(acme, name);
  }
  await acme.user('admin', { isAdmin: true });
  callers.admin = await world.signIn(acme, 'admin');
});
afterAll(async () => {
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});
beforeEach(async () => {
  await acme.sql('delete from {s}.delegation');
  world.app.services.store.forget(acme.schema);
});

const move = (who: string, { id, version }: Row, to: string, more: object = {}) =>
  callers[who]!.call('POST', `/tapi/t_request/${id}/move/${to}`, { version, ...more });
const refusal = (answer: { json<T>(): T }) => answer.json<{ error: { message: string; reason: string } }>().error;
async function waiting(who: string, more: object = {}): Promise<Row> {
  const made = await callers[who]!.call('POST', '/tapi/t_request', { subject: 'Ropes', ...more });
  expect(made.statusCode, made.body).toBe(201);
  return taken(who, made.json<{ data: Row }>().data, 'waiting');
}
async function taken(who: string, row: Row, to: string, more: object = {}): Promise<Row> {
  const answer = await move(who, row, to, more);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Row }>().data;
}
async function handOver(from: string, to: string, more: object = {}): Promise<void> {
  await acme.sql(
    `insert into {s}.delegation (entity_id, number, from_employee_id, to_employee_id, from_date, to_date, scope, transaction_types, amount_limit, reason, state)
    select $1, $2, $3, $4, current_date - 1, current_date + 1, 'types', '{t_request,t_free_request}', $5, 'Leave', 'active'`,
    [acme.entityIds[0], `${from}-${to}`, ids[from], ids[to], (more as { limit?: string }).limit ?? null],
  );
  world.app.services.store.forget(acme.schema);
}

it('whoever decides is told what waits, with their deputies, and whoever asked what became of it', async () => {
  await acme.sql('delete from {s}.t_request');
  await acme.sql('delete from {s}.notification');
  await handOver('boss', 'clerk');
  const row = await waiting('asha', { total: '5' });
  const told = (event: string) =>
    acme.sql<{ name: string; title: string; link: string }>(
      `select u.name, n.title, n.link from {s}.notification n join {s}.users u on u.id = n.user_id where n.event_code = $1 and n.record_type = 't_request' and n.record_id = $2 order by u.name`,
      [event, row.id],
    );
  const link = `/t_request/view/${row.id}`;
  await expect
    .poll(() => told('approval.assigned'))
    .toEqual(['Boss', 'Clerk', 'Lead'].map((name) => ({ name, title: 'Requests: Ropes waits for you', link })));
  const levels = async (who: string) =>
    (await callers[who]!.call('GET', `/get_features_by_role/${callers[who]!.userId}`))
      .json<{ authorization_levels: { transaction_type: string }[] }>()
      .authorization_levels.filter(({ transaction_type: type }) => type === 't_request');
  for (const who of ['boss', 'clerk', 'lead'])
    expect(await levels(who), who).toEqual([{ transaction_type: 't_request', records_count: 1 }]);
  expect(await levels('asha')).toEqual([]);
  await waiting('lead');
  expect(await levels('lead')).toEqual([{ transaction_type: 't_request', records_count: 1 }]);
  await taken('clerk', row, 'approved');
  await expect
    .poll(() => told('approval.decided'))
    .toEqual([{ name: 'Asha', title: 'Request: Ropes is "Approved"', link }]);
  const [{ body } = { body: '' }] = await acme.sql<{ body: string }>(
    `select body from {s}.notification where event_code = 'approval.decided' and record_id = $1`,
    [row.id],
  );
  expect(body).toBe('Clerk decided it for Boss.');
});

describe('a step that approves', () => {
  it('is taken with the right to approve alone, and nothing else is', async () => {
    const row = await waiting('asha', { total: '100.00' });
    expect(refusal(await move('asha', row, 'approved')).reason).toBe('page_type');
    expect(
      (await callers.boss!.call('PUT', `/tapi/t_request/${row.id}`, { version: row.version, subject: 'X' })).statusCode,
    ).toBe(403);
    expect((await move('boss', row, 'draft')).statusCode).toBe(403);
    expect((await move('boss', row, 'approved', { total: '1.00' })).statusCode).toBe(400);
    expect(refusal(await move('boss', row, 'refused')).message).toBe('Reason is required.');
    expect(await taken('boss', row, 'refused', { reason: 'Too dear' })).toMatchObject({
      state: 'refused',
      reason: 'Too dear',
    });
    const again = await waiting('asha');
    const approved = await taken('boss', again, 'approved');
    expect((await move('boss', approved, 'approved')).statusCode).toBe(409);
    expect((await move('lead', approved, 'gone')).statusCode).toBe(404);
    const entries = () =>
      acme.sql<Row>(`select summary from {s}.audit_log where action = 'approval' and target_id = $1`, [again.id]);
    await expect.poll(entries).toEqual([{ summary: 'waiting → approved' }]);
  });

  it('is never taken by whoever asked, changed it last, or is named as asking', async () => {
    const own = await waiting('lead');
    expect(refusal(await move('lead', own, 'approved'))).toMatchObject({
      reason: 'row',
      message: 'You asked for this request yourself or changed it last. Somebody else decides it.',
    });
    // Taking back is not deciding.
    expect((await taken('lead', own, 'draft')).state).toBe('draft');
    const named = await waiting('asha', { buyer_id: ids.boss });
    expect((await move('boss', named, 'approved')).statusCode).toBe(403);
    const theirs = await waiting('asha');
    const touched = await callers.lead!.call('PUT', `/tapi/t_request/${theirs.id}`, {
      version: theirs.version,
      subject: 'Other ropes',
    });
    expect((await move('lead', touched.json<{ data: Row }>().data, 'approved')).statusCode).toBe(403);
    expect(
      (await callers.admin!.call('POST', `/tapi/t_request/${theirs.id}/move/approved`, { version: theirs.version + 1 }))
        .statusCode,
    ).toBe(200);
  });

  it('is held to the same by the form and by many at once; the client may allow one’s own', async () => {
    const made = (await callers.lead!.call('POST', '/tapi/t_free_request', { subject: 'Oil' })).json<{ data: Row }>()
      .data;
    expect(
      (await callers.lead!.call('POST', '/tapi/t_free_request', { subject: 'Oil', state: 'approved' })).statusCode,
    ).toBe(422);
    const asked = (
      await callers.lead!.call('PUT', `/tapi/t_free_request/${made.id}`, { version: made.version, state: 'waiting' })
    ).json<{ data: Row }>().data;
    const put = () =>
      callers.lead!.call('PUT', `/tapi/t_free_request/${made.id}`, { version: asked.version, state: 'approved' });
    expect((await put()).statusCode).toBe(403);
    const bulk = (
      await callers.lead!.call('PUT', '/tapi/t_free_request/bulk', { ids: [made.id], set: { state: 'approved' } })
    ).json<{ data: { changed: number[]; errors: { message: string }[] } }>().data;
    expect(bulk).toMatchObject({
      changed: [],
      errors: [{ message: expect.stringContaining('Somebody else decides it') as string }],
    });
    const { version } = (
      await callers.admin!.call('PUT', '/tapi/configuration/single', { allow_self_approval: true })
    ).json<{ data: { version: number } }>().data;
    expect((await put()).statusCode).toBe(200);
    await callers.admin!.call('PUT', '/tapi/configuration/single', { allow_self_approval: false, version });
  });
});

describe('a deputy', () => {
  it('approves up to the limit, however the amount is changed in the same breath', async () => {
    await handOver('boss', 'clerk', { limit: '50000' });
    const [small, large, open] = [
      await waiting('asha', { total: '50000.00' }),
      await waiting('asha', { total: '50000.01' }),
      await waiting('asha'),
    ];
    expect((await taken('clerk', small, 'approved')).state).toBe('approved');
    const [told] = (await callers.admin!.call('GET', `/tapi/t_request/${small.id}/history`)).json<{ data: Row[] }>()
      .data;
    expect(told).toMatchObject({ by__label: 'Clerk', for__label: 'Boss', change: { state: ['waiting', 'approved'] } });
    expect(refusal(await move('clerk', large, 'approved'))).toMatchObject({
      reason: 'row',
      message:
        'As deputy of Boss you approve up to ₹50,000.00; this request comes to ₹50,000.01. Boss or another approver decides it.',
    });
    expect((await taken('clerk', open, 'approved')).state).toBe('approved');
    // Whoever may decide it themselves is held to no limit.
    await acme.sql(`update {s}.delegation set to_employee_id = $1`, [ids.lead]);
    world.app.services.store.forget(acme.schema);
    expect((await taken('lead', large, 'approved')).state).toBe('approved');
    const made = (await callers.asha!.call('POST', '/tapi/t_free_request', { subject: 'Oil', total: '70000' })).json<{
      data: Row;
    }>().data;
    await acme.sql(`update {s}.t_free_request set state = 'waiting' where id = $1`, [made.id]);
    await acme.sql(`update {s}.delegation set to_employee_id = $1`, [ids.asha]);
    await acme.sql(`update {s}.t_free_request set created_by = $2, updated_by = $2 where id = $1`, [
      made.id,
      callers.admin!.userId,
    ]);
    world.app.services.store.forget(acme.schema);
    const lower = await callers.asha!.call('PUT', `/tapi/t_free_request/${made.id}`, {
      version: made.version,
      state: 'approved',
      total: '10',
    });
    expect(refusal(lower).message).toContain('comes to ₹70,000.00');
  });

  it('of two givers acts for the one whose limit suffices', async () => {
    await handOver('boss', 'clerk', { limit: '100' });
    await handOver('lead', 'clerk', { limit: '900' });
    expect(refusal(await move('clerk', await waiting('asha', { total: '901' }), 'approved')).message).toContain(
      'As deputy of Lead you approve up to ₹900.00',
    );
    const row = await taken('clerk', await waiting('asha', { total: '500' }), 'approved');
    const [told] = (await callers.admin!.call('GET', `/tapi/t_request/${row.id}/history`)).json<{ data: Row[] }>().data;
    expect(told).toMatchObject({ for__label: 'Lead' });
  });

  it('decides neither what the giver asked for, nor what the giver does not see', async () => {
    await handOver('lead', 'clerk');
    expect(refusal(await move('clerk', await waiting('lead'), 'approved')).message).toBe(
      'You act for Lead here, who asked for this request. Somebody else decides it.',
    );
    await acme.sql('delete from {s}.delegation');
    await handOver('narrow', 'asha');
    const strange = await waiting('lead');
    expect(refusal(await move('asha', strange, 'approved')).message).toBe(
      'Narrow, for whom you act, may not decide this record.',
    );
  });
});
