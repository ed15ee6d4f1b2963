import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { PageType } from '../../../src/descriptor/types.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

const DECIDES = { right: { page: 'approval_screen' }, who: ['!requester', '!last', '!buyer'], decides: ['checker'] };

/** A request that somebody makes and another decides; nothing of it is programmed. */
const REQUEST = {
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title: 'Request',
  access: { screen: 'SCN_T_REQUEST', action: null },
  scope: 'entity',
  label: ['subject'],
  schema: {
    required: ['subject'],
    properties: {
      subject: { $ref: 'types#text' },
      buyer_id: { $ref: 'types#ref', 'x-ref': 'employee' },
      total: { $ref: 'types#money' },
      checker_id: { $ref: 'types#ref', 'x-ref': 'users', readOnly: true },
      reason: { $ref: 'types#text', readOnly: true },
    },
  },
  relations: { buyer: 'buyer_id', last: 'updated_by', checker: 'checker_id' },
  workflow: {
    field: 'state',
    amount: 'total',
    states: { draft: {}, waiting: { edit: true }, approved: { is: 'closed' }, refused: { is: 'cancelled' } },
    transitions: {
      ask: { from: ['draft'], to: 'waiting' },
      take_back: { from: ['waiting', 'refused'], to: 'draft' },
      approve: { from: ['waiting'], to: 'approved', ...DECIDES },
      refuse: { from: ['waiting'], to: 'refused', ...DECIDES, ask: ['reason!'] },
    },
  },
};

let world: World;
let acme: TestTenant;
let schemasDir: string;
const callers: Record<string, Caller> = {};
const ids: Record<string, number> = {};

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-approval-')), 'schemas');
  copySchemas(schemasDir);
  writeFileSync(join(schemasDir, 'organisation', 't_request.json'), JSON.stringify(REQUEST));
  writeFileSync(
    join(schemasDir, 'organisation', 't_free_request.json'),
    JSON.stringify({
      ...REQUEST,
      title: 'Free request',
      // Here the step that decides asks for the amount as well, and is the buyer's and those above the buyer.
      relations: { buyer: 'buyer_id', chief: { above: 'buyer_id' }, checker: 'checker_id' },
      workflow: {
        ...REQUEST.workflow,
        transitions: {
          ...REQUEST.workflow.transitions,
          approve: { ...REQUEST.workflow.transitions.approve, who: ['buyer', 'chief', '!requester'], ask: ['total'] },
          refuse: { ...REQUEST.workflow.transitions.refuse, who: ['buyer', 'chief', '!requester'] },
        },
      },
      access: { screen: 'SCN_T_FREE', action: null },
    }),
  );
  world = await startWorld({ schemasDir, alone: true });
  acme = await world.tenant();
  const all: PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen'];
  const role = (pages: PageType[], scope: 'own' | 'company') =>
    acme.role({ modules: ['MASTERS'], screens: { SCN_T_REQUEST: { pages, scope }, SCN_T_FREE: { pages, scope } } });
  const requester = await role(all.slice(0, 4), 'company');
  const decider = await role(['landing', 'view_screen', 'approval_screen'], 'company');
  const both = await role(all, 'company');
  const ofOwn = await role(['landing', 'view_screen', 'approval_screen'], 'own');
  const nothing = await acme.role({ modules: ['MASTERS'] });
  for (const { name } of await acme.sql<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
  ))
    await acme.sql(`alter table {s}.employee alter column "${name}" drop not null`);
  for (const [name, held] of [
    ['asha', requester],
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

const step = (who: string, { id, version }: Row, name: string, more: object = {}) =>
  callers[who]!.call('POST', `/tapi/t_request/${id}/${name}`, { version, ...more });
const refusal = (answer: { json<T>(): T }) => answer.json<{ error: { message: string; reason: string } }>().error;
async function waiting(who: string, more: object = {}): Promise<Row> {
  const made = await callers[who]!.call('POST', '/tapi/t_request', { subject: 'Ropes', ...more });
  expect(made.statusCode, made.body).toBe(201);
  return taken(who, made.json<{ data: Row }>().data, 'ask');
}
async function taken(who: string, row: Row, name: string, more: object = {}): Promise<Row> {
  const answer = await step(who, row, name, more);
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

it('approvers are notified where nobody has opened delegations or reporting lines yet', async () => {
  const tables = ['delegation', 'employee_tree'];
  for (const name of tables) await acme.sql(`alter table {s}.${name} rename to ${name}_unopened`);
  const row = await waiting('asha').finally(async () => {
    for (const name of tables) await acme.sql(`alter table {s}.${name}_unopened rename to ${name}`);
  });
  await expect
    .poll(() =>
      acme.sql(
        `select u.name from {s}.notification n join {s}.users u on u.id = n.user_id where n.event_code = 'approval.assigned' and n.record_id = $1 order by u.name`,
        [row.id],
      ),
    )
    .toEqual([{ name: 'Boss' }, { name: 'Lead' }]);
});

it('approvers and their deputies are notified of requests, and requesters of decisions', async () => {
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
    .toEqual(['Boss', 'Clerk', 'Lead'].map((name) => ({ name, title: 'Requests: Ropes is waiting for you', link })));
  const levels = async (who: string) =>
    (await callers[who]!.call('GET', `/get_features_by_role/${callers[who]!.userId}`))
      .json<{ authorization_levels: { transaction_type: string }[] }>()
      .authorization_levels.filter(({ transaction_type: type }) => type === 't_request');
  for (const who of ['boss', 'clerk', 'lead'])
    expect(await levels(who), who).toEqual([{ transaction_type: 't_request', records_count: 1 }]);
  expect(await levels('asha')).toEqual([]);
  await waiting('lead');
  expect(await levels('lead')).toEqual([{ transaction_type: 't_request', records_count: 1 }]);
  await taken('clerk', row, 'approve');
  await expect
    .poll(() => told('approval.decided'))
    .toEqual([{ name: 'Asha', title: 'Request: Ropes is "Approved"', link }]);
  const [{ body } = { body: '' }] = await acme.sql<{ body: string }>(
    `select body from {s}.notification where event_code = 'approval.decided' and record_id = $1`,
    [row.id],
  );
  expect(body).toBe('Clerk decided it for Boss.');
  // What was asked last is on its way still: it would count in the next test.
  await expect
    .poll(() =>
      acme.sql<{ name: string; count: number }>(
        `select u.name, sum(n.count)::int as count from {s}.notification n join {s}.users u on u.id = n.user_id where n.event_code = 'approval.assigned' group by u.name order by u.name`,
      ),
    )
    .toEqual(['Boss', 'Clerk', 'Lead'].map((name) => ({ name, count: name === 'Lead' ? 1 : 2 })));
});

it('approvers of a type that names them are notified and count requests: by a reference, and by the managers above', async () => {
  await acme.sql('delete from {s}.notification');
  const ask = async () => {
    const made = await callers.asha!.call('POST', '/tapi/t_free_request', { subject: 'Oil', buyer_id: ids.boss });
    const { id } = made.json<{ data: Row }>().data;
    expect((await callers.asha!.call('POST', `/tapi/t_free_request/${id}/ask`, { version: 1 })).statusCode).toBe(200);
    return id;
  };
  const told = () =>
    acme.sql<{ name: string; count: number }>(
      `select u.name, n.count from {s}.notification n join {s}.users u on u.id = n.user_id where n.event_code = 'approval.assigned' order by u.name`,
    );
  const count = async (who: string) =>
    (await callers[who]!.call('GET', `/get_features_by_role/${callers[who]!.userId}`))
      .json<{ authorization_levels: { transaction_type: string; records_count: number }[] }>()
      .authorization_levels.find(({ transaction_type: type }) => type === 't_free_request')?.records_count;
  const first = await ask();
  await expect.poll(told).toEqual([{ name: 'Boss', count: 1 }]);
  expect([await count('boss'), await count('lead')]).toEqual([1, 0]);
  const refused = await callers.lead!.call('POST', `/tapi/t_free_request/${first}/approve`, { version: 2 });
  expect(refusal(refused)).toMatchObject({
    reason: 'row',
    message: expect.stringContaining('is for others') as string,
  });
  await acme.sql('insert into {s}.employee_tree (ancestor_id, descendant_id, depth) values ($1, $2, 1)', [
    ids.lead,
    ids.boss,
  ]);
  await ask();
  await expect.poll(told).toEqual([
    { name: 'Boss', count: 2 },
    { name: 'Lead', count: 1 },
  ]);
  expect([await count('boss'), await count('lead')]).toEqual([2, 2]);
  const approved = await callers.lead!.call('POST', `/tapi/t_free_request/${first}/approve`, { version: 2 });
  expect(approved.statusCode, approved.body).toBe(200);
  await acme.sql('delete from {s}.employee_tree where ancestor_id = $1 and descendant_id = $2', [ids.lead, ids.boss]);
});

describe('an approving step', () => {
  it('needs the right to approve only, and nothing else', async () => {
    const row = await waiting('asha', { total: '100.00' });
    expect(refusal(await step('asha', row, 'approve')).reason).toBe('page_type');
    expect(
      (await callers.boss!.call('PUT', `/tapi/t_request/${row.id}`, { version: row.version, subject: 'X' })).statusCode,
    ).toBe(403);
    expect((await step('boss', row, 'take_back')).statusCode).toBe(403);
    expect((await step('boss', row, 'approve', { total: '1.00' })).statusCode).toBe(400);
    expect(refusal(await step('boss', row, 'refuse')).message).toBe('Reason is needed for "Refuse".');
    expect(await taken('boss', row, 'refuse', { reason: 'Too dear' })).toMatchObject({
      state: 'refused',
      reason: 'Too dear',
    });
    const again = await waiting('asha');
    const approved = await taken('boss', again, 'approve');
    expect((await step('boss', approved, 'approve')).statusCode).toBe(409);
    expect((await step('lead', approved, 'gone')).statusCode).toBe(404);
    const entries = () =>
      acme.sql<Row>(`select summary from {s}.audit_log where action = 'approval' and target_id = $1`, [again.id]);
    await expect.poll(entries).toEqual([{ summary: 'waiting → approved' }]);
  });

  it('is refused to the requester, to the last editor, and to the named requester', async () => {
    const own = await waiting('lead');
    expect(refusal(await step('lead', own, 'approve'))).toMatchObject({
      reason: 'row',
      message: 'You submitted this request yourself. Somebody else must decide.',
    });
    // The person who usually decides is named, unless it is the same one.
    const checkedBy = (name: string) =>
      acme.sql('update {s}.t_request set checker_id = $2 where id = $1', [own.id, callers[name]!.userId]);
    for (const [checker, decides] of [
      ['boss', 'Boss'],
      ['lead', 'Somebody else'],
    ] as const) {
      await checkedBy(checker);
      expect(refusal(await step('lead', own, 'approve')).message).toBe(
        `You submitted this request yourself. ${decides} must decide.`,
      );
    }
    // Taking back is not deciding.
    expect((await taken('lead', own, 'take_back')).state).toBe('draft');
    const named = await waiting('asha', { buyer_id: ids.boss });
    expect((await step('boss', named, 'approve')).statusCode).toBe(403);
    const theirs = await waiting('asha');
    const touched = await callers.lead!.call('PUT', `/tapi/t_request/${theirs.id}`, {
      version: theirs.version,
      subject: 'Other ropes',
    });
    expect((await step('lead', touched.json<{ data: Row }>().data, 'approve')).statusCode).toBe(403);
    expect(
      (await callers.admin!.call('POST', `/tapi/t_request/${theirs.id}/approve`, { version: theirs.version + 1 }))
        .statusCode,
    ).toBe(200);
  });

  it('is taken by no other call; the client may allow self-approval', async () => {
    const own = await waiting('lead');
    const put = await callers.lead!.call('PUT', `/tapi/t_request/${own.id}`, {
      version: own.version,
      state: 'approved',
    });
    expect(put.statusCode).toBe(422);
    const made = await callers.lead!.call('POST', '/tapi/t_request', { subject: 'Oil', state: 'approved' });
    expect(made.statusCode).toBe(422);
    const { version } = (
      await callers.admin!.call('PUT', '/tapi/configuration/single', { allow_self_approval: true })
    ).json<{ data: { version: number } }>().data;
    expect((await taken('lead', own, 'approve')).state).toBe('approved');
    await callers.admin!.call('PUT', '/tapi/configuration/single', { allow_self_approval: false, version });
  });
});

describe('a deputy', () => {
  it('approves up to the limit, however the amount is changed in the same call', async () => {
    await handOver('boss', 'clerk', { limit: '50000' });
    const [small, large, open] = [
      await waiting('asha', { total: '50000.00' }),
      await waiting('asha', { total: '50000.01' }),
      await waiting('asha'),
    ];
    expect((await taken('clerk', small, 'approve')).state).toBe('approved');
    const [told] = (await callers.admin!.call('GET', `/tapi/t_request/${small.id}/history`)).json<{ data: Row[] }>()
      .data;
    expect(told).toMatchObject({ by__label: 'Clerk', for__label: 'Boss', change: { state: ['waiting', 'approved'] } });
    expect(refusal(await step('clerk', large, 'approve'))).toMatchObject({
      reason: 'row',
      message:
        'As deputy of Boss you approve up to ₹50,000.00; this request comes to ₹50,000.01. Boss or another approver decides it.',
    });
    expect((await taken('clerk', open, 'approve')).state).toBe('approved');
    // Whoever may decide it themselves is held to no limit.
    await acme.sql(`update {s}.delegation set to_employee_id = $1`, [ids.lead]);
    world.app.services.store.forget(acme.schema);
    expect((await taken('lead', large, 'approve')).state).toBe('approved');
    await acme.sql(`update {s}.delegation set to_employee_id = $1`, [ids.clerk]);
    world.app.services.store.forget(acme.schema);
    const { id } = (
      await callers.asha!.call('POST', '/tapi/t_free_request', { subject: 'Oil', total: '70000', buyer_id: ids.boss })
    ).json<{
      data: Row;
    }>().data;
    expect((await callers.asha!.call('POST', `/tapi/t_free_request/${id}/ask`, { version: 1 })).statusCode).toBe(200);
    const lower = await callers.clerk!.call('POST', `/tapi/t_free_request/${id}/approve`, { version: 2, total: '10' });
    expect(refusal(lower).message).toContain('comes to ₹70,000.00');
  });

  it('of two delegators acts for the one whose limit is sufficient', async () => {
    await handOver('boss', 'clerk', { limit: '100' });
    await handOver('lead', 'clerk', { limit: '900' });
    expect(refusal(await step('clerk', await waiting('asha', { total: '901' }), 'approve')).message).toContain(
      'As deputy of Lead you approve up to ₹900.00',
    );
    const row = await taken('clerk', await waiting('asha', { total: '500' }), 'approve');
    const [told] = (await callers.admin!.call('GET', `/tapi/t_request/${row.id}/history`)).json<{ data: Row[] }>().data;
    expect(told).toMatchObject({ for__label: 'Lead' });
  });

  it('approves neither the delegator’s own requests nor records that the delegator cannot see', async () => {
    await handOver('lead', 'clerk');
    expect(refusal(await step('clerk', await waiting('lead'), 'approve')).message).toBe(
      'You act for Lead, who submitted this request. Somebody else must decide.',
    );
    await acme.sql('delete from {s}.delegation');
    await handOver('narrow', 'asha');
    const strange = await waiting('lead');
    expect(refusal(await step('asha', strange, 'approve')).message).toBe(
      'You act for Narrow, who may not decide this record.',
    );
  });
});
