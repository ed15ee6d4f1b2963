import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backupTenant } from '../../../src/server/db/backup.ts';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
/** A number of nine digits or more that stands nowhere else. */
const NUMBERS = { employee: ['50100123987654', '50100777123456'], vendor_mstr: ['917020098765', '917020011111'] };
const FIELD = { employee: 'bank_account', vendor_mstr: 'account_no' };
const ids = { employee: 0, vendor_mstr: 0 };
const TYPES = ['employee', 'vendor_mstr'] as const;

beforeAll(async () => {
  world = await startWorld({
    types: ['currency_setting', 'policy_definition', 'policy_type_mstr', 'receipt_mode_mstr', 'vendor_mstr'],
  });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

async function send(method: string, url: string, body: object, status = 200) {
  const answer = await admin.call(method, url, body);
  expect(answer.statusCode, answer.body).toBe(status);
  return answer.json<{ data: Record<string, unknown> & { id: number; version: number } }>().data;
}
const add = async (type: string, record: object) => (await send('POST', `/tapi/${type}`, record, 201)).id;

/** Every row of every table that the client's data stand in, as SQL prints it. */
async function everything(): Promise<string> {
  const tables = await acme.sql<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables where schemaname in ($1, 'public')`,
    [acme.schema],
  );
  const rows = await Promise.all(
    tables.map(({ schema, name }) => acme.sql<{ row: string }>(`select t::text as row from "${schema}"."${name}" t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

it('bank account numbers of employees and vendors are stored only encrypted in their own column', async () => {
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const { member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Service' },
      designation: { code: 'T1', name: 'Technician' },
    },
  );
  ids.employee = await member('E20001', { first_name: 'Anand', bank_account: NUMBERS.employee[0] });
  const [inr] = await acme.sql<{ id: number }>(`select id from {s}.currency_setting order by id limit 1`);
  const currency =
    inr?.id ??
    (await add('currency_setting', { iso_code: 'INR', name: 'Rupee', symbol: '₹', decimals: 2, is_base: true }));
  ids.vendor_mstr = await add('vendor_mstr', {
    name: 'Trader',
    kind: 'trader',
    gst_type: 'unregistered',
    address: '1 Mount Road',
    state_id: tn!.id,
    country: tn!.country_id,
    currency_id: currency,
    account_no: NUMBERS.vendor_mstr[0],
  });
  for (const type of TYPES) {
    const { version } = (await admin.call('GET', `/tapi/${type}/${ids[type]}`)).json<{ data: { version: number } }>()
      .data;
    await send('PUT', `/tapi/${type}/${ids[type]}`, { version, [FIELD[type]]: NUMBERS[type][1] });
    // A refused value must not be repeated in a log either.
    await admin.call('PUT', `/tapi/${type}/${ids[type]}`, { version, [FIELD[type]]: NUMBERS[type][0] });
  }
  const backup = await text(
    Readable.from(backupTenant(world.database.directory, acme.subDomain, world.database.dataDir)),
  );
  for (const found of [await everything(), backup])
    for (const type of TYPES) {
      expect(found).toContain(type === 'employee' ? 'Anand' : '1 Mount Road');
      for (const number of NUMBERS[type]) expect(found).not.toContain(number);
    }
  for (const type of TYPES) {
    const [row] = await acme.sql<{ value: string }>(`select ${FIELD[type]} as value from {s}.${type} where id = $1`, [
      ids[type],
    ]);
    expect(row!.value).toMatch(/^aes:/);
  }
});

it('no answer contains them: record, list, search, history or sheet', async () => {
  const { employee, vendor_mstr: vendor } = ids;
  for (const url of TYPES.flatMap((type) => [
    `/tapi/${type}/${ids[type]}`,
    `/tapi/${type}?size=50`,
    `/tapi/${type}/${ids[type]}/history`,
    `/tapi/search?q=${NUMBERS[type][1]}`,
  ])) {
    const answer = await admin.call('GET', url);
    for (const number of Object.values(NUMBERS).flat())
      expect(answer.body.replace(`"q":"${number}"`, ''), url).not.toContain(number);
  }
  const one = (await admin.call('GET', `/tapi/employee/${employee}`)).json<{ data: object }>().data;
  expect(one).toMatchObject({ bank_account__set: true });
  expect((await admin.call('GET', `/tapi/vendor_mstr/${vendor}`)).json()).toMatchObject({
    data: { account_no__set: true },
  });
  for (const type of TYPES) {
    const sheet = await admin.call('GET', `/tapi/${type}/export.xlsx?columns=${FIELD[type]}`);
    expect([200, 400, 422]).toContain(sheet.statusCode);
    const filter = encodeURIComponent(JSON.stringify([[FIELD[type], 'eq', NUMBERS[type][1]]]));
    expect((await admin.call('GET', `/tapi/${type}?filter=${filter}`)).statusCode).toBeGreaterThanOrEqual(400);
  }
});

const SLOW = '^(a+)+$';
const LONG = `${'a'.repeat(60)}!`;

it('a regular expression in a custom field is checked in linear time, and an invalid one is refused at its field', async () => {
  const type = await add('policy_type_mstr', {
    code: 'SLOW',
    name: 'Slow',
    parameters: { type: 'object', properties: { word: { type: 'string', title: 'Word', pattern: SLOW } } },
  });
  const from = performance.now();
  const answer = await admin.call('POST', '/tapi/policy_definition', {
    code: 'SLOW',
    name: 'Slow',
    valid_from: '2026-04-01',
    policy_type_id: type,
    parameters: { word: LONG },
  });
  expect(performance.now() - from).toBeLessThan(10_000);
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('parameters.word');
  const wrong = await admin.call('POST', '/tapi/receipt_mode_mstr', {
    code: 'X',
    name: 'X',
    family: 'cheque',
    number_pattern: '([0-9]',
  });
  expect(wrong.statusCode).toBe(422);
  expect(wrong.body).toContain('number_pattern');
  for (const pattern of ['(?<=a)b', '(a{99}){99}'])
    expect(
      (
        await admin.call('POST', '/tapi/receipt_mode_mstr', {
          code: 'X',
          name: 'X',
          family: 'cheque',
          number_pattern: pattern,
        })
      ).statusCode,
    ).toBe(422);
});
