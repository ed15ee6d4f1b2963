import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refuseUnannounced } from '../unannounced_rights.ts';
import { dayIn } from '../../../src/descriptor/place.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

let world: World;
let acme: TestTenant;
const callers: Record<string, Caller> = {};
const ids: Record<string, number> = {};
let today: string;
const dayOf = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['FMS'] });
  const own = (pages: ('landing' | 'view_screen' | 'edit_screen' | 'approval_screen')[]) => ({
    pages,
    scope: 'own' as const,
  });
  const surveyor = await acme.role({
    modules: ['FMS'],
    screens: { SCN_FMS_TIS: own(['landing', 'view_screen', 'edit_screen']) },
  });
  const reviewer = await acme.role({
    modules: ['FMS'],
    screens: { SCN_FMS_TIS: { pages: ['landing', 'view_screen', 'edit_screen', 'approval_screen'], scope: 'company' } },
  });
  const keeper = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_DELEGATION: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
    actions: ['CREATE_MASTERS'],
  });
  [{ today = '' } = {}] = (await acme.sql<{ today: string }>(
    `select (now() at time zone 'Asia/Kolkata')::date::text as today`,
  )) as [{ today: string }];
  for (const { name } of await acme.sql<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
  ))
    await acme.sql(`alter table {s}.employee alter column "${name}" drop not null`);
  for (const [name, role, above] of [
    ['boss', reviewer, null],
    ['asha', surveyor, 'boss'],
    ['ravi', surveyor, 'boss'],
    ['clerk', keeper, null],
    ['stranger', keeper, null],
  ] as const) {
    const [row] = await acme.sql<{ id: number }>(
      `insert into {s}.employee (entity_id, empno, first_name, name, status, reporting_to_id) values ($1, $2, $2, initcap($2), 'active', $3) returning id`,
      [acme.entityIds[0], name, above && ids[above]],
    );
    const id = (ids[name] = row!.id);
    await acme.sql(
      `insert into {s}.employee_tree (ancestor_id, descendant_id, depth) select ancestor_id, $1::bigint, depth + 1 from {s}.employee_tree where descendant_id = $2::bigint union all select $1::bigint, $1::bigint, 0`,
      [id, above && ids[above]],
    );
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
    await acme.sql('update {s}.users set employee_id = $1, name = initcap($2) where username = $2', [id, name]);
    callers[name] = await world.signIn(acme, name);
  }
  // The table of delegations has come with its first use.
  await acme.sql('delete from {s}.delegation');
  await refuseUnannounced(acme);
  const [survey] = await acme.sql<{ id: number }>(
    `insert into {s}.tis_survey_type (code, name, purpose, status) values ('AN', 'Annual', 'periodic', 'published') returning id`,
  );
  for (const { name } of await acme.sql<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '{s}.branch'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
  ))
    await acme.sql(`alter table {s}.branch alter column "${name}" drop not null`);
  const [branch] = await acme.sql<{ id: number }>(
    `insert into {s}.branch (entity_id, code, name) values ($1, 'B1', 'Chennai') returning id`,
    [acme.entityIds[0]],
  );
  for (const [name, status, days] of [
    ['asha', 'planned', -2],
    ['ravi', 'planned', 3],
    ['ravi', 'submitted', -9],
  ] as const)
    await acme.sql(
      `insert into {s}.tis_inspection (entity_id, inspection_no, planned_on, surveyor_id, customer_name, building, lift_no, status, survey_type_id, branch_id) values ($1, $2, $3, $4, 'Lotus', 'Towers', $2, $5, $6, $7)`,
      [acme.entityIds[0], `${name}-${status}`, dayOf(days), ids[name], status, survey!.id, branch!.id],
    );
});
afterAll(() => world.close());
beforeEach(async () => {
  await acme.sql('delete from {s}.delegation');
  world.app.services.store.forget(acme.schema);
});

const delegate = (by: string, from: string, to: string, more: object = {}) =>
  callers[by]!.call('POST', '/tapi/delegation', {
    from_employee_id: ids[from],
    to_employee_id: ids[to],
    from_date: today,
    to_date: dayOf(5),
    scope: 'all',
    reason: 'Leave',
    notify: true,
    ...more,
  });
const given = async (...args: Parameters<typeof delegate>): Promise<Row> => {
  const answer = await delegate(...args);
  expect(answer.statusCode, answer.body).toBe(201);
  world.app.services.store.forget(acme.schema);
  return answer.json<{ data: Row }>().data;
};
const seen = async (who: string) =>
  (await callers[who]!.call('GET', '/tapi/tis_inspection?sort=inspection_no'))
    .json<{ data: { inspection_no: string }[] }>()
    .data.map(({ inspection_no: no }) => no);
/** The clock, as the job of each minute has it. */
const clock = async () => {
  const count = async () =>
    (
      await acme.sql<{ transition: string; n: number }>(
        `select transition, count(*)::int as n from {s}.transition_log where record_type = 'delegation' group by 1`,
      )
    ).reduce<Record<string, number>>((all, { transition, n }) => ({ ...all, [transition]: n }), {});
  const before = await count();
  await world.sweep(new Date());
  const now = await count();
  const of = (name: string) => (now[name] ?? 0) - (before[name] ?? 0);
  return { begun: of('begin'), ended: of('expire') };
};
const refusal = (answer: { json<T>(): T }) => answer.json<{ error: { message: string } }>().error.message;

describe('a deputy', () => {
  it('sees the delegator’s rows while the delegation runs, and acts in their name', async () => {
    expect(await seen('asha')).toEqual(['asha-planned']);
    await given('ravi', 'ravi', 'asha');
    expect(await seen('asha')).toEqual(['asha-planned', 'ravi-planned', 'ravi-submitted']);
    expect(await seen('ravi')).toEqual(['ravi-planned', 'ravi-submitted']);
    const list = (await callers.asha!.call('GET', '/tapi/tis_inspection')).json<{ data: Row[] }>().data;
    const [own, theirs] = ['asha-planned', 'ravi-planned'].map((no) => list.find((row) => row.inspection_no === no)!);
    for (const { id, version } of [own!, theirs!]) {
      const answer = await callers.asha!.call('PUT', `/tapi/tis_inspection/${id}`, { version, customer_name: 'Palm' });
      expect(answer.statusCode, answer.body).toBe(200);
    }
    const last = async ({ id }: Row) =>
      (await callers.asha!.call('GET', `/tapi/tis_inspection/${id}/history`)).json<{ data: Row[] }>().data[0];
    expect(await last(theirs!)).toMatchObject({ by__label: 'Asha', for__label: 'Ravi' });
    expect(await last(own!)).toMatchObject({ by__label: 'Asha', for__label: null });
    await acme.sql(`update {s}.delegation set from_date = from_date - 9, to_date = to_date - 9`);
    world.app.services.store.forget(acme.schema);
    expect(await seen('asha')).toEqual(['asha-planned']);
  });

  it('approves the delegated lists, and nothing else', async () => {
    expect(await seen('clerk').catch(() => 'none')).toBe('none');
    await given('boss', 'boss', 'clerk', { scope: 'types', transaction_types: ['tis_inspection'] });
    expect(await seen('clerk')).toEqual(['asha-planned', 'ravi-planned', 'ravi-submitted']);
    const [row] = await acme.sql<Row>(`select id, version from {s}.tis_inspection where status = 'submitted'`);
    expect(
      (
        await callers.clerk!.call('PUT', `/tapi/tis_inspection/${row!.id}`, {
          version: row!.version,
          customer_name: 'X',
        })
      ).statusCode,
    ).toBe(403);
    const back = await callers.clerk!.call('POST', `/tapi/tis_inspection/${row!.id}/send_back`, {
      version: row!.version,
      reason: 'Photo is missing',
    });
    expect(back.statusCode, back.body).toBe(200);
    const [told] = (await callers.clerk!.call('GET', `/tapi/tis_inspection/${row!.id}/history`)).json<{ data: Row[] }>()
      .data;
    expect(told).toMatchObject({
      by__label: 'Clerk',
      for__label: 'Boss',
      change: { status: ['submitted', 'in_progress'] },
    });
    // Neither another list of the delegator nor what the delegator got from others.
    expect((await callers.clerk!.call('GET', '/tapi/tis_survey_type')).statusCode).toBe(403);
    await given('clerk', 'clerk', 'stranger');
    expect(await seen('stranger').catch(() => 'none')).toBe('none');
  });

  it('of everything still sees only their own screens', async () => {
    await given('boss', 'boss', 'stranger');
    expect((await callers.stranger!.call('GET', '/tapi/tis_inspection')).statusCode).toBe(403);
    await given('boss', 'boss', 'asha', { from_date: dayOf(20), to_date: dayOf(22) });
    expect(await seen('asha')).toEqual(['asha-planned']);
  });
});

describe('why a deputy may or may not act', () => {
  interface Told {
    allowed: boolean;
    reason: string | null;
    layers: { layer: string; passed: boolean; text: string }[];
  }
  const why = async (who: string, query: string) =>
    (await callers[who]!.call('GET', `/tapi/rights/explain?screen=tis_inspection&${query}`)).json<Told>();
  const of = (told: Told, layer: string) =>
    told.layers.filter((one) => one.layer === layer).map(({ passed, text }) => [passed, text]);
  const until = () => dayOf(5).split('-').reverse().join('-');

  it('names the delegators, the pages they lend, and the limits', async () => {
    expect(await why('clerk', 'page=approval_screen')).toMatchObject({ allowed: false, reason: 'module' });
    await given('boss', 'boss', 'clerk', {
      scope: 'types',
      transaction_types: ['tis_inspection'],
      amount_limit: '50000',
    });
    const approve = await why('clerk', 'page=approval_screen');
    expect(approve).toMatchObject({ allowed: true, reason: null });
    expect(of(approve, 'delegation')).toEqual([
      [true, `Acts for Boss until ${until()}, who holds this: up to ₹50,000.00.`],
    ]);
    const edit = await why('clerk', 'page=edit_screen');
    expect(edit).toMatchObject({ allowed: false });
    expect(of(edit, 'delegation')).toEqual([
      [false, `Acts for Boss until ${until()}; deputies look and approve, the page "Edit" stays with Boss.`],
    ]);
    const rights = (await callers.clerk!.call('GET', '/tapi/rights/effective')).json<{
      data: { acts_for: object[]; screens: { screen_code: string; pages: object }[] };
    }>().data;
    expect(rights.acts_for).toEqual([{ name: 'Boss', until: dayOf(5), types: ['tis_inspection'], limit: '50000.00' }]);
    expect(rights.screens.find(({ screen_code: code }) => code === 'SCN_FMS_TIS')?.pages).toEqual({
      landing: ['Deputy of Boss'],
      view_screen: ['Deputy of Boss'],
      approval_screen: ['Deputy of Boss'],
    });
  });

  it('names what a delegation does not cover, and whether a record is visible', async () => {
    await given('boss', 'boss', 'stranger');
    expect(of(await why('stranger', 'page=landing'), 'delegation')).toEqual([
      [false, `Acts for Boss until ${until()}, of everything within their own screens; this is none of them.`],
    ]);
    const [theirs] = await acme.sql<{ id: number }>(
      `select id from {s}.tis_inspection where inspection_no = 'ravi-planned'`,
    );
    const row = () => why('asha', `page=view_screen&id=${theirs!.id}`);
    expect(await row()).toMatchObject({ allowed: false, reason: 'row' });
    expect(of(await row(), 'row')).toEqual([
      [false, 'The record is not among those they see: their roles show them their own records alone.'],
    ]);
    await given('ravi', 'ravi', 'asha');
    expect(of(await row(), 'row')).toEqual([[true, 'The record is among those they see.']]);
    expect((await callers.asha!.call('GET', '/tapi/rights/explain?screen=tis_inspection&id=x')).statusCode).toBe(400);
  });
});

describe('delegating', () => {
  it('is for one’s own authority; nobody makes themselves a deputy', async () => {
    expect(refusal(await delegate('asha', 'boss', 'asha'))).toContain('only your own work');
    expect(refusal(await delegate('clerk', 'boss', 'clerk'))).toContain('You cannot make yourself');
    expect(refusal(await delegate('clerk', 'boss', 'asha'))).toContain('has more rights than you');
    const row = await given('boss', 'boss', 'asha');
    expect(
      (await callers.asha!.call('PUT', `/tapi/delegation/${row.id}`, { version: row.version, to_date: dayOf(60) }))
        .statusCode,
    ).toBe(422);
    expect(refusal(await delegate('boss', 'boss', 'ravi'))).toContain('delegates the same');
    expect(refusal(await delegate('asha', 'asha', 'boss'))).toContain('is away on these days');
  });

  it('with a last day before the first is refused at that field', async () => {
    const answer = await delegate('asha', 'asha', 'ravi', { from_date: dayOf(5), to_date: today });
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json()).toMatchObject({ error: { details: [{ field: 'to_date' }] } });
  });

  it('accepts only existing lists and people', async () => {
    expect(
      refusal(await delegate('boss', 'boss', 'clerk', { scope: 'types', transaction_types: ['tis_inspektion'] })),
    ).toBe('There is no list "tis_inspektion". Did you mean "tis_inspection"?');
    expect(
      refusal(await delegate('boss', 'boss', 'clerk', { scope: 'types', transaction_types: ['Inspections'] })),
    ).toBe('There is no list "Inspections". Write tis_inspection for inspections.');
    await acme.sql(`update {s}.employee set status = 'left' where id = $1`, [ids.ravi]);
    expect(refusal(await delegate('boss', 'boss', 'ravi'))).toBe('Ravi has left. Choose somebody else.');
    await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [ids.ravi]);
  });

  it('starts and ends by the clock, with one notification to both people and the manager, and is ended early by a call', async () => {
    await acme.sql('delete from {s}.notification');
    const soon = await given('ravi', 'ravi', 'asha', { from_date: dayOf(3), to_date: dayOf(4) });
    expect(await clock()).toEqual({ begun: 0, ended: 0 });
    await acme.sql('update {s}.delegation set from_date = $1', [today]);
    expect(await clock()).toEqual({ begun: 1, ended: 0 });
    expect(await clock()).toEqual({ begun: 0, ended: 0 });
    const told = () =>
      acme.sql<{ name: string; title: string }>(
        'select u.name, n.title from {s}.notification n join {s}.users u on u.id = n.user_id order by n.id, u.name',
      );
    expect((await told()).map(({ name }) => name).sort()).toEqual(['Asha', 'Boss', 'Ravi']);
    expect((await told())[0]!.title).toBe(`Asha acts for Ravi until ${dayOf(4).split('-').reverse().join('-')}`);
    const revoke = async (who: string) => {
      const [{ version } = { version: 0 }] = await acme.sql<{ version: number }>(
        'select version from {s}.delegation where id = $1',
        [soon.id],
      );
      return (await callers[who]!.call('POST', `/tapi/delegation/${soon.id}/revoke`, { version })).statusCode;
    };
    // Out of sight.
    expect(await revoke('boss')).toBe(404);
    // By the deputy; the other, and whoever keeps the lists, may as well, as long as it runs.
    expect(await revoke('asha')).toBe(200);
    expect(await revoke('stranger')).toBe(409);
    expect(await acme.sql('select state from {s}.delegation')).toEqual([{ state: 'revoked' }]);
    world.app.services.store.forget(acme.schema);
    expect(await seen('asha')).toEqual(['asha-planned']);
    expect(await told()).toHaveLength(5);
    await given('ravi', 'ravi', 'asha');
    await clock();
    await acme.sql(`update {s}.delegation set from_date = from_date - 9, to_date = to_date - 9 where state = 'active'`);
    expect(await clock()).toEqual({ begun: 0, ended: 1 });
    const over = (await callers.ravi!.call('GET', '/tapi/delegation'))
      .json<{ data: Row[] }>()
      .data.find(({ state }) => state === 'expired')!;
    const late = await callers.ravi!.call('PUT', `/tapi/delegation/${String(over.id)}`, {
      version: over.version,
      to_date: dayOf(9),
    });
    expect(late.statusCode, late.body).toBe(409);
  });

  it('ends when one of the two people leaves', async () => {
    await given('ravi', 'ravi', 'asha');
    expect(await clock()).toEqual({ begun: 1, ended: 0 });
    await acme.sql(`update {s}.employee set status = 'left' where id = $1`, [ids.ravi]);
    expect(await clock()).toEqual({ begun: 0, ended: 1 });
    await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [ids.ravi]);
    expect(await acme.sql('select state from {s}.delegation')).toEqual([{ state: 'expired' }]);
  });
});

it('a delegation starts on the day in its company’s time zone', async () => {
  const far = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((one) => dayIn(one) !== today)!;
  await acme.sql('delete from {s}.delegation');
  const { id } = await given('ravi', 'ravi', 'asha', { from_date: dayOf(1), to_date: dayOf(4) });
  await acme.sql(`update {s}.delegation set from_date = $1, to_date = $1, state = 'draft' where id = $2`, [
    dayIn(far),
    id,
  ]);
  await acme.sql('update {s}.entity set timezone = $1', [far]);
  expect((await clock()).begun).toBe(1);
  await acme.sql(`update {s}.entity set timezone = 'Asia/Kolkata'`);
  await acme.sql('delete from {s}.delegation');
});

it('my team: open work of each person in lists that I may open, and the people I act for', async () => {
  await acme.sql(`update {s}.tis_inspection set status = 'planned' where status <> 'submitted'`);
  const team = async (who: string) =>
    (await callers[who]!.call('GET', '/tapi/my_team')).json<{
      data: { name: string; tasks: Row[] }[];
      acts_for: Row[];
    }>();
  const { data } = await team('boss');
  const tasks = (name: string) => data.find((person) => person.name === name)!.tasks;
  expect(tasks('Asha')).toMatchObject([
    {
      type: 'tis_inspection',
      title: 'Inspection is planned',
      open: 1,
      late: 1,
      next: dayOf(-2),
      route: `/tis_landing?filter=${encodeURIComponent(JSON.stringify(['surveyor_id', 'eq', ids.asha]))}`,
    },
  ]);
  expect(tasks('Ravi').reduce((sum, { open }) => sum + Number(open), 0)).toBeGreaterThanOrEqual(1);
  await given('boss', 'boss', 'clerk', { scope: 'types', transaction_types: ['tis_inspection'] });
  expect((await team('clerk')).acts_for).toEqual([
    { name: 'Boss', until: dayOf(5), types: ['tis_inspection'], limit: null },
  ]);
});
