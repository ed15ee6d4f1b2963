import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayIn } from '../../../src/server/services/clock/client_day.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
/** At any moment it is another day in one of the two than in India. */
const zone = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((one) => dayIn(one) !== dayIn('Asia/Kolkata'))!;

beforeAll(async () => {
  world = await startWorld({ types: ['store'] });
  acme = await world.tenant({ products: ['PMS'] });
  await acme.user('admin', { isAdmin: true });
  await acme.sql(`update {s}.entity set timezone = $1, fy_start_month = 1, currency = 'USD'`, [zone]);
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

it('the current financial year follows the day and the first month of the company', async () => {
  const year = Number(dayIn(zone).slice(0, 4));
  const answer = await admin.call('GET', `/tapi/get_features_by_role/${admin.userId}`);
  expect(answer.body).toContain(`"financial_year":"${year}-${year + 1}"`);
});

it('today is the day in the company’s time zone', async () => {
  // Whichever day is the later one is today here, or else tomorrow.
  const later = [dayIn(zone), dayIn('Asia/Kolkata')].sort((a, b) => a.localeCompare(b))[1]!;
  const [city] = await acme.sql<{ id: number }>('select id from {s}.city_mstr limit 1');
  await admin.call('GET', '/tapi/store');
  const answer = await admin.call('POST', '/tapi/store', {
    code: 'S1',
    name: 'Store',
    format: 'standard',
    address: 'Harbour Road',
    city_id: city!.id,
    opened_on: later,
  });
  const future = answer.body.includes('A store cannot have opened in the future.');
  expect(future, answer.body).toBe(later !== dayIn(zone));
});

it('a company must have an existing time zone', async () => {
  const company = (await admin.call('GET', `/tapi/entity/${acme.entityIds[0]}`)).json<{ data: { version: number } }>()
    .data;
  const answer = await admin.call('PUT', `/tapi/entity/${acme.entityIds[0]}`, {
    timezone: 'Asia/Chenai',
    version: company.version,
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('There is no time zone');
});

it('the session answer contains the zone, first month and currency of each company, and the currency of the client', async () => {
  const answer = (await admin.call('GET', `/tapi/get_features_by_role/${admin.userId}`)).json<{
    data: { entity_list: Record<string, unknown>[]; client_currency: string }[];
  }>();
  expect(answer.data[0]).toMatchObject({
    entity_list: [{ timezone: zone, fy_start_month: 1, currency: 'USD' }],
    client_currency: 'USD',
  });
});

it('a branch must have an existing time zone', async () => {
  await admin.call('GET', '/tapi/branch');
  const answer = await admin.call('POST', '/tapi/branch', { code: 'B1', name: 'Chennai', timezone: 'Asia/Chenai' });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('There is no time zone');
});

it('the session answer contains the zones of the client, of each company and of its branches', async () => {
  const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(
    `insert into {s}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode, timezone)
     select id, 'NY', 'New York', 'branch', address1, city, state_id, country, pincode, 'America/New_York' from {s}.entity where id = $1 returning id`,
    [acme.entityIds[0]],
  );
  const answer = (await admin.call('GET', `/tapi/get_features_by_role/${admin.userId}`)).json<{
    data: { entity_list: Record<string, unknown>[]; client_timezone: string }[];
  }>();
  expect(answer.data[0]).toMatchObject({
    entity_list: [{ timezone: zone, company_timezone: zone, branch_timezones: { [id]: 'America/New_York' } }],
    client_timezone: 'Asia/Kolkata',
  });
});

it('the currency of a client is that of its first active company', async () => {
  const currency = async () => {
    const caller = await world.signIn(acme, 'admin');
    return (await caller.call('GET', `/tapi/get_features_by_role/${admin.userId}`)).json<{
      data: { client_currency: string }[];
    }>().data[0]!.client_currency;
  };
  const add = (code: string, own: string, order: number, active: boolean) =>
    acme.sql(
      `insert into {s}.entity (code, name, legal_name, address1, city, state_id, country, pincode, fy_start_month, currency, timezone, sequence_no, active)
       select $1::text, $1::text, legal_name, address1, city, state_id, country, pincode, 4, $2, timezone, $3, $4 from {s}.entity limit 1`,
      [code, own, order, active],
    );
  await acme.sql('update {s}.entity set sequence_no = 5');
  await add('OLD', 'GBP', 1, false);
  await add('LATER', 'EUR', 9, true);
  expect(await currency()).toBe('USD');
  await add('EARLIER', 'JPY', 2, true);
  expect(await currency()).toBe('JPY');
});
