import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Section 5 of the specification, asked of the server: what the browser checks counts for nothing by itself.

let world: World;
let acme: TestTenant;
let admin: Caller;
let base: Record<string, unknown>;
let made = 0;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
  const id = async (table: string) => (await acme.sql<{ id: number }>(`select id from {s}.${table} limit 1`))[0]!.id;
  base = {
    branch_type: 'branch',
    address1: '1 Mount Road',
    country: await id('country'),
    state_id: await id('state_mstr'),
    city: await id('city_mstr'),
    pincode: '600002',
  };
});
afterAll(() => world.close());

const add = (more: object) => {
  made++;
  return admin.call('POST', '/tapi/branch', { ...base, code: `B${made}`, name: `Branch ${made}`, ...more });
};
const fields = (answer: { json<T>(): T }) =>
  answer.json<{ error: { details: { field: string; message: string }[] } }>().error.details;

test('text is trimmed and repeated spaces collapse', async () => {
  const answer = await add({ name: '  Anna   Nagar  West ', address2: ' 2nd   floor ' });
  expect(answer.statusCode, answer.body).toBe(201);
  expect(answer.json<{ data: object }>().data).toMatchObject({ name: 'Anna Nagar West', address2: '2nd floor' });
});

test('a latitude is at most 90 and a longitude at most 180, either way', async () => {
  for (const geo of [
    { lat: 90, lng: 180 },
    { lat: -90, lng: -180 },
  ])
    expect((await add({ geo })).statusCode).toBe(201);
  for (const geo of [
    { lat: 90.0001, lng: 0 },
    { lat: -91, lng: 0 },
    { lat: 0, lng: 180.0001 },
    { lat: 0, lng: -181 },
    { lat: 'north', lng: 0 },
  ]) {
    const answer = await add({ geo });
    expect([answer.statusCode, fields(answer)[0]?.field.startsWith('geo')]).toEqual([422, true]);
  }
});

test('an invalid e-mail address and a missing required field are both reported by name', async () => {
  expect((await add({ email: 'asha@acme.in' })).statusCode).toBe(201);
  const answer = await add({ email: 'asha@', name: '   ', fence_m: 'many' });
  expect(answer.statusCode).toBe(422);
  expect(
    fields(answer)
      .map(({ field }) => field)
      .sort(),
  ).toEqual(['email', 'fence_m', 'name']);
  expect(fields(answer).find(({ field }) => field === 'name')?.message).toBe('Name is required.');
  expect(fields(answer).find(({ field }) => field === 'email')?.message).toBe(
    'E-mail must be valid, such as asha@acme.in.',
  );
  const user = await admin.call('POST', '/tapi/users', { name: 'Asha', username: 'asha' });
  expect(fields(user).find(({ field }) => field === 'email')?.message).toBe('E-mail is required.');
});

test('unknown fields and the author are not accepted from the sender', async () => {
  const odd = await add({ colour_of_door: 'red' });
  expect([odd.statusCode, odd.body.includes('colour_of_door')]).toEqual([422, true]);
  const plain = await add({ from_user: admin.userId });
  expect(plain.json<{ data: object }>().data).toMatchObject({ created_by: admin.userId });
});
