import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import modules, { watched } from './acts_module.ts';
import { ACT_TYPES } from './acts_types.ts';
import { HISTORY_TYPES, runHistories } from './histories.ts';
import { cutOffAt } from './cut_off.ts';
import { OFFLINE_TYPES, offlineCases } from './offline_cases.ts';
import { PUBLIC_TYPES, publicLinkCases } from './public_links.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[] };

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let other: PoolClient;
let reasons = 0;

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'acts-')), 'schemas');
  copySchemas(schemasDir);
  for (const [name, descriptor] of Object.entries({
    ...ACT_TYPES,
    ...HISTORY_TYPES,
    ...PUBLIC_TYPES,
    ...OFFLINE_TYPES,
  }))
    writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(descriptor));
  world = await startWorld({ schemasDir, alone: true, modules });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const role = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_ACT_BILL: [...pages], SCN_ACT_ACCOUNT: { pages: [...pages], scope: 'own' } },
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  for (const name of Object.keys({ ...ACT_TYPES, ...HISTORY_TYPES, ...PUBLIC_TYPES, ...OFFLINE_TYPES }))
    await admin.call('GET', `/tapi/${name}`);
  await admin.call('GET', '/tapi/reason');
  other = await acme.db.owner.connect();
});
afterAll(async () => {
  other.release();
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});
beforeEach(() => {
  watched.attempts = 0;
  watched.stamps = [];
  watched.seen = [];
});

type Answer = { statusCode: number; body: string; json<T>(): T };
async function ok(answer: Promise<Answer>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
async function refused(answer: Promise<Answer>, status: number, said: string): Promise<void> {
  const got = await answer;
  expect([got.statusCode, got.body]).toEqual([status, expect.stringContaining(said)]);
}
const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
const step = async (by: Caller, type: string, id: number, name: string, more: object = {}) =>
  by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
const account = async (name: string) => (await ok(admin.call('POST', '/tapi/act_account', { name }), 201)).id;
const bill = (by: Caller, accounts: number[], more: object = {}) =>
  ok(
    by.call('POST', '/tapi/act_bill', {
      account_id: accounts[0],
      lines: accounts.map((id, at) => ({ account_id: id, amount: String(10 * (at + 1)) })),
      ...more,
    }),
    201,
  );
const reason = async (name: string, more: object = {}) =>
  (
    await ok(
      admin.call('POST', '/tapi/reason', {
        code: `R${++reasons}`,
        name,
        used_for: ['credit_note'],
        ...more,
      }),
      201,
    )
  ).id;
const count = async (table: string, where: string, values: unknown[]) =>
  (await acme.sql<{ n: number }>(`select count(*)::int as n from {s}.${table} where ${where}`, values))[0]!.n;

describe('what a transition does', () => {
  it('is part of it: other records, rows of a module, the next document, and last the effects that need the number', async () => {
    const [one, two] = [await account('One'), await account('Two')];
    const { id } = await bill(admin, [one, two, one]);
    const posted = await ok(step(admin, 'act_bill', id, 'post'));
    // A record that two rows lead to is set for both.
    expect((await read('act_account', one)).balance).toBe('40.00');
    expect(await read('act_account', two)).toMatchObject({ balance: '20.00', last_bill: `bill ${id}` });
    expect(await acme.sql('select amount::text as amount from {s}.act_ledger where bill = $1', [id])).toEqual([
      { amount: '60.00' },
    ]);
    expect(await acme.sql('select amount::text as amount, status from {s}.act_slip where bill_id = $1', [id])).toEqual([
      { amount: '60.00', status: 'new' },
    ]);
    expect(posted.bill_no).toMatch(/^B\d{4}-\d{2}\/0001$/);
    expect([posted.said, watched.seen]).toEqual([posted.bill_no, [posted.bill_no]]);
    expect(watched.stamps[1]! > watched.stamps[0]!).toBe(true);
    await world.app.deliveries.deliver(acme);
    expect(await count('act_ledger', 'bill = $1 and settled', [id])).toBe(1);
  });

  it('is undone in reverse order by its differences: later changes of others stay', async () => {
    const [one, two] = [await account('One'), await account('Two')];
    const why = await reason('Undone');
    const first = await bill(admin, [one, two]);
    await ok(step(admin, 'act_bill', first.id, 'post'));
    const second = await bill(admin, [one]);
    await ok(step(admin, 'act_bill', second.id, 'post'));
    // The second bill is the last of the first account now: that cannot be put back under it.
    await refused(step(admin, 'act_bill', first.id, 'void', { reason: why }), 409, 'was changed since');
    expect(await read('act_bill', first.id)).toMatchObject({ status: 'posted' });
    expect((await read('act_account', two)).balance).toBe('20.00');
    await ok(step(admin, 'act_bill', second.id, 'void', { reason: why }));
    expect(await read('act_account', one)).toMatchObject({ balance: '10.00', last_bill: `bill ${first.id}` });
    await acme.sql('update {s}.act_account set balance = 15 where id = $1', [one]);
    await ok(step(admin, 'act_bill', first.id, 'void', { reason: why }));
    expect(await read('act_account', one)).toMatchObject({ balance: '5.00', last_bill: null });
    expect(await count('act_ledger', 'bill = any($1) and settled is not true', [[first.id, second.id]])).toBe(0);
    expect(await count('act_slip', 'bill_id = any($1)', [[first.id, second.id]])).toBe(0);
    expect(
      await count('effect_log', 'record_id = $1 and undone_by is null and transition = $2', [first.id, 'post']),
    ).toBe(0);
  });

  it('is not undone at all if later acts depend on it', async () => {
    const one = await account('One');
    const why = await reason('Too late');
    const { id } = await bill(admin, [one]);
    await ok(step(admin, 'act_bill', id, 'post'));
    const [slip] = await acme.sql<{ id: number }>('select id from {s}.act_slip where bill_id = $1', [id]);
    await ok(step(admin, 'act_slip', slip!.id, 'send'));
    await refused(step(admin, 'act_bill', id, 'void', { reason: why }), 409, 'Cancel the slip first');
    await ok(step(admin, 'act_slip', slip!.id, 'cancel'));
    await acme.sql('update {s}.act_ledger set settled = true where bill = $1', [id]);
    await refused(step(admin, 'act_bill', id, 'void', { reason: why }), 409, 'settled already');
    expect((await read('act_account', one)).balance).toBe('10.00');
    await acme.sql('update {s}.act_ledger set settled = false where bill = $1', [id]);
    await ok(step(admin, 'act_bill', id, 'void', { reason: why }));
    expect((await read('act_account', one)).balance).toBe('0.00');
  });

  it('moves other records, whoever may move them, and back; a refusal there refuses the whole transition', async () => {
    const [one, two, three] = [await account('One'), await account('Two'), await account('Three')];
    const made = await bill(admin, [one, two, three], {
      kind: 'other',
      lines: [
        { account_id: one, amount: '5' },
        { account_id: two, amount: '6' },
        { account_id: two, amount: '7' },
      ],
    });
    await ok(step(admin, 'act_bill', made.id, 'freeze'));
    expect(await read('act_account', two)).toMatchObject({ status: 'held', series: `H${two}` });
    expect((await read('act_account', one)).status).toBe('open');
    const second = await bill(admin, [two], { kind: 'other' });
    await refused(step(admin, 'act_bill', second.id, 'freeze'), 409, 'bad_state');
    await ok(step(admin, 'act_bill', made.id, 'thaw'));
    expect((await read('act_account', two)).status).toBe('open');
    await ok(step(admin, 'act_bill', second.id, 'freeze'));
    expect((await read('act_account', two)).status).toBe('held');
  });

  it('exceeds the person’s rights for automatic effects, and in functions only if they are marked as elevated', async () => {
    const hidden = await account('Hidden');
    const { id } = await bill(admin, [hidden]);
    expect((await clerk.call('GET', `/tapi/act_account/${hidden}`)).statusCode).toBe(404);
    await ok(step(clerk, 'act_bill', id, 'post'));
    expect((await read('act_account', hidden)).balance).toBe('10.00');
    const looks = await bill(admin, [hidden], { kind: 'looks' });
    await refused(step(clerk, 'act_bill', looks.id, 'look'), 404, 'not visible');
    const elevates = await bill(admin, [hidden], { kind: 'elevates' });
    expect((await step(clerk, 'act_bill', elevates.id, 'elevate')).statusCode).toBe(500);
    expect((await read('act_bill', elevates.id)).status).toBe('draft');
  });

  it('can be previewed with a masked number, without storing anything', async () => {
    const one = await account('One');
    const { id } = await bill(admin, [one]);
    const counters = await acme.sql('select * from {s}.number_counter order by key');
    const shown = await ok(admin.call('POST', `/tapi/act_bill/${id}/post?preview=1`, {}));
    expect(shown).toMatchObject({ status: 'posted', bill_no: expect.stringMatching(/^B\d{4}-\d{2}\/····$/) });
    expect(watched.seen).toEqual([shown.bill_no]);
    expect(await acme.sql('select * from {s}.number_counter order by key')).toEqual(counters);
    expect((await read('act_account', one)).balance).toBe('0.00');
  });
});

describe('a new record', () => {
  it('passes the guards of its type, and its effects run in the same transaction', async () => {
    const one = await account('One');
    expect((await bill(admin, [one])).welcome).toBe('10.00');
    const before = await count('act_bill', 'true', []);
    const lines = [{ account_id: one, amount: '0' }];
    await refused(admin.call('POST', '/tapi/act_bill', { account_id: one, lines }), 422, 'Nothing to book');
    expect(await count('act_bill', 'true', [])).toBe(before);
  });
});

describe('an act during which the server stops', () => {
  it('changes nothing, at whichever statement it stops, and can be repeated', async () => {
    const one = await account('Cut');
    const { id } = await bill(admin, [one]);
    const { version } = await read('act_bill', id);
    const rest = async () => [
      await acme.sql('select * from {s}.number_counter order by key'),
      await acme.sql('select id, balance, version from {s}.act_account order by id'),
      ...(await Promise.all(
        [
          'act_bill',
          'act_slip',
          'act_ledger',
          'effect_log',
          'transition_log',
          'record_link',
          'history',
          'domain_event',
        ].map((table) => count(table, table === 'act_bill' ? "status = 'posted'" : 'true', [])),
      )),
    ];
    const before = await rest();
    let status = 0;
    let statement = 0;
    while (status !== 200) {
      const { restore, sent } = cutOffAt(++statement);
      try {
        status = (await admin.call('POST', `/tapi/act_bill/${id}/post`, { version })).statusCode;
      } finally {
        restore();
      }
      if (status === 200) expect(sent()).toBeLessThan(statement);
      else {
        expect(status).toBeGreaterThanOrEqual(500);
        expect([statement, await rest()]).toEqual([statement, before]);
      }
    }
    // Every statement of it was one of those.
    expect(statement).toBeGreaterThan(20);
    expect(await read('act_bill', id)).toMatchObject({ status: 'posted' });
    expect((await read('act_account', one)).balance).toBe('10.00');
  });
});

describe('the locks of acts', () => {
  it('are acquired in one order: bills over the same accounts in any order all succeed', async () => {
    const accounts = [await account('A'), await account('B'), await account('C')];
    const bills: number[] = [];
    for (let n = 0; n < 12; n++) bills.push((await bill(admin, n % 2 === 0 ? accounts : accounts.toReversed())).id);
    const answers = await Promise.all(bills.map((id) => step(admin, 'act_bill', id, 'post')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(bills.map(() => 200));
    const balances = await Promise.all(accounts.map(async (id) => (await read('act_account', id)).balance));
    expect(balances).toEqual(['240.00', '240.00', '240.00']);
  });

  it('restart with a late, earlier lock that is held by somebody else', async () => {
    const [low, high] = [await account('Low'), await account('High')];
    const { id } = await bill(admin, [high], { kind: 'first', lines: [{ account_id: low, amount: '1' }] });
    await other.query('begin');
    await other.query(`select 1 from "${acme.schema}".act_account where id = $1 for update`, [low]);
    const taken = step(admin, 'act_bill', id, 'first');
    // It has begun again, and waits for the account before it locks anything.
    await expect
      .poll(async () => {
        const waiting = await world.database.directory.main.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return [watched.attempts, waiting.length];
      })
      .toEqual([1, 1]);
    await other.query(`select 1 from "${acme.schema}".act_account where id = $1 for update nowait`, [high]);
    await other.query('rollback');
    await ok(taken);
    expect(watched.attempts).toBe(2);
  });
});

describe('a chosen reason', () => {
  it('is one of the active ones, with a remark if it requires one, and is in the log', async () => {
    const [plain, wordy] = [await reason('Wrong price'), await reason('Other cause', { remark_needed: true })];
    await ok(admin.call('POST', '/tapi/reason', { code: 'OTHERUSE', name: 'Elsewhere', used_for: ['bounce'] }), 201);
    const offered = await clerk.call('GET', '/tapi/act_bill/reasons/void');
    const found = offered.json<{ data: Row[] }>().data;
    expect(found).toEqual(
      expect.arrayContaining([
        { id: plain, label: 'Wrong price', remark: false },
        { id: wordy, label: 'Other cause', remark: true },
      ]),
    );
    expect(found.some(({ label }) => label === 'Elsewhere')).toBe(false);
    expect((await clerk.call('GET', '/tapi/act_bill/reasons/post')).statusCode).toBe(404);
    const { id } = await bill(admin, [await account('One')]);
    await ok(step(admin, 'act_bill', id, 'post'));
    await refused(step(admin, 'act_bill', id, 'void'), 422, 'Choose one of the reasons');
    await refused(step(admin, 'act_bill', id, 'void', { reason: 'Wrong price' }), 422, 'Choose one of the reasons');
    await refused(step(admin, 'act_bill', id, 'void', { reason: wordy }), 422, 'needs a remark');
    await ok(step(admin, 'act_bill', id, 'void', { reason: wordy, remark: 'Twice' }));
    const history = await admin.call('GET', `/tapi/act_bill/${id}/history`);
    expect(history.json<{ data: Row[] }>().data).toContainEqual(
      expect.objectContaining({ transition: 'void', reason: 'Other cause: Twice', reason_id: wordy }),
    );
  });
});

describe('a revision', () => {
  const offer = async (party: string, more: object = {}) =>
    ok(
      admin.call('POST', '/tapi/act_offer', {
        party,
        place: 'north',
        proforma: true,
        valid_from: '2026-04-01',
        lines: [{ item: 'Rope' }, { item: 'Oil' }],
        ...more,
      }),
      201,
    );
  const revised = async (id: number) => Number((await ok(step(admin, 'act_offer', id, 'revise')))._revision);

  it('copies values, rows and number of the record, and replaces it on acceptance', async () => {
    const { id } = await offer('Towers');
    const first = await ok(step(admin, 'act_offer', id, 'accept'));
    const copy = await revised(id);
    // Until then the record stays as it is, and the copy has the same keys.
    expect(await read('act_offer', id)).toMatchObject({ status: 'accepted', is_current: true, revision: 0 });
    const second = await read('act_offer', copy);
    expect(second).toMatchObject({
      status: 'draft',
      revision: 1,
      copied_from_id: id,
      is_current: false,
      party: 'Towers',
      offer_no: first.offer_no,
      agreed: null,
    });
    expect(second.lines.map(({ item }) => item)).toEqual(['Rope', 'Oil']);
    await refused(step(admin, 'act_offer', id, 'revise'), 409, 'already in progress');
    await ok(admin.call('PUT', `/tapi/act_offer/${copy}`, { version: second.version, valid_from: '2026-07-01' }));
    await ok(step(admin, 'act_offer', copy, 'accept'));
    expect(await read('act_offer', id)).toMatchObject({
      status: 'replaced',
      is_current: false,
      valid_to: '2026-06-30',
    });
    expect(await read('act_offer', copy)).toMatchObject({
      status: 'accepted',
      is_current: true,
      offer_no: first.offer_no,
      agreed: 'yes',
    });
    const links = await admin.call('GET', `/tapi/act_offer/${id}/links`);
    expect(links.json<{ data: { revisions: Row[] } }>().data.revisions).toEqual([
      expect.objectContaining({ id, revision: 0, state: expect.objectContaining({ label: 'Replaced' }) }),
      expect.objectContaining({ id: copy, revision: 1 }),
    ]);
    expect((await step(admin, 'act_offer', id, 'revise')).statusCode).toBe(409);
  });

  it('that is discarded leaves the record unchanged, and another one can be made', async () => {
    const { id } = await offer('Given up');
    await ok(step(admin, 'act_offer', id, 'accept'));
    await ok(step(admin, 'act_offer', await revised(id), 'drop'));
    const third = await revised(id);
    expect(await read('act_offer', third)).toMatchObject({ revision: 2, status: 'draft' });
    expect((await read('act_offer', id)).status).toBe('accepted');
  });

  it('conflicts over keys with other records, but not with its own', async () => {
    const { id } = await offer('Keys');
    await ok(step(admin, 'act_offer', id, 'accept'));
    await refused(
      admin.call('POST', '/tapi/act_offer', {
        party: 'Keys',
        place: 'north',
        proforma: true,
        valid_from: '2027-04-01',
        lines: [{ item: 'x' }],
      }),
      422,
      'Another one has the same party',
    );
    const copy = await read('act_offer', await revised(id));
    await offer('Other');
    await ok(
      admin.call('PUT', `/tapi/act_offer/${copy.id}`, {
        version: copy.version,
        party: 'Other',
        valid_from: '2026-08-01',
      }),
    );
    await refused(step(admin, 'act_offer', copy.id, 'accept'), 422, 'Another one has the same party');
    // Nothing of it: the record is where it was.
    expect(await read('act_offer', id)).toMatchObject({ status: 'accepted', is_current: true });
  });

  it('replaces the record at once if no step is named', async () => {
    const { id, plan_no: number } = await ok(admin.call('POST', '/tapi/act_plan', { code: 'A', kind: 'P' }), 201);
    const { _revision: copy } = await ok(step(admin, 'act_plan', id, 'revise'));
    expect(await read('act_plan', id)).toMatchObject({ status: 'old', is_current: false });
    expect(await read('act_plan', Number(copy))).toMatchObject({
      status: 'draft',
      is_current: true,
      code: 'A',
      plan_no: number,
      version_no: 1,
    });
  });
});

describe('numbers', () => {
  const accept = async (more: object) => {
    const { id } = await ok(
      admin.call('POST', '/tapi/act_offer', {
        party: `Party ${++reasons}`,
        place: 'south',
        valid_from: '2026-05-01',
        lines: [{ item: 'x' }],
        ...more,
      }),
      201,
    );
    return step(admin, 'act_offer', id, 'accept');
  };
  const series = async (name: string) =>
    (await ok(admin.call('POST', '/tapi/act_account', { name: 'Series', series: name }), 201)).id;

  it('come from the first matching series, including conditions on references, and count separately for each value of "per"', async () => {
    const [one, two] = [await series('MUM'), await series('PUN')];
    const given: unknown[] = [];
    for (const more of [
      { series_id: one },
      { series_id: one },
      { series_id: two },
      { proforma: true },
      { series_id: one, place: 'north' },
      { series_id: one, valid_from: '2027-05-01' },
    ])
      given.push((await ok(Promise.resolve(await accept(more)))).offer_no);
    expect(given).toEqual([
      'MUM/2026-27/0001',
      'MUM/2026-27/0002',
      'PUN/2026-27/0001',
      'PF2026-27/0001',
      'MUM/2026-27/0001',
      'MUM/2027-28/0001',
    ]);
  });

  it('are refused if a part is empty, if they are too long, or if they start with a forbidden character', async () => {
    await refused(accept({}), 422, 'has nothing for the number');
    await refused(accept({ series_id: await series('LONG') }), 422, 'at most 16');
    await refused(accept({ series_id: await series('0AB') }), 422, 'begin with');
    await refused(accept({ series_id: await series('A/B') }), 422, 'without');
    await refused(admin.call('POST', '/tapi/act_plan', { code: 'B', kind: 'ABC' }), 422, 'at most 5');
    const [{ counters }] = (await acme.sql<{ counters: number }>(
      `select count(*)::int as counters from {s}.number_counter where key like 'act_plan|%|ABC-%'`,
    )) as [{ counters: number }];
    expect(counters).toBe(0);
    // The counter has outgrown its digits: the record is not stored, and the number not used up.
    await acme.sql(`update {s}.number_counter set value = 99 where key like 'act_plan|%|P-%'`);
    await ok(admin.call('POST', '/tapi/act_plan', { code: 'C', kind: 'P' }), 201);
    await acme.sql(`update {s}.number_counter set value = 999 where key like 'act_plan|%|P-%'`);
    await refused(admin.call('POST', '/tapi/act_plan', { code: 'D', kind: 'P' }), 422, 'at most 5');
    const kept = await acme.sql(`select value::int as value from {s}.number_counter where key like 'act_plan|%|P-%'`);
    expect(kept).toEqual([{ value: 999 }]);
  });
});

// npm run histories tries ten thousand.
it('random histories of make, change, book, cancel and delete always reconcile', async () => {
  const count = await runHistories(
    { call: (method, url, body) => admin.call(method, url, body), sql: (text, values) => acme.sql(text, values) },
    { histories: 100, seed: 7, atOnce: 4 },
  );
  // They do happen.
  expect(count.histories).toBe(100);
  expect(Math.min(count.taken, count.refused)).toBeGreaterThan(100);
}, 180_000);

publicLinkCases(() => ({ world, acme, admin, clerk }));
offlineCases(() => ({ world, schemasDir, acme, admin, clerk }));
