import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillCatalogue } from '../../../src/server/platform/clients/catalogue.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import type { Caller, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { platformPerson } from './platform_people.ts';

let world: World;
let root: Caller;

beforeAll(async () => {
  world = await startWorld({ alone: true });
  await writeUserTypes(world.database.directory.main);
  await fillCatalogue(world.database.directory, world.screens);
  root = await platformPerson(world, 'SUPER');
  for (const type of ['product', 'client_account', 'partner', 'industry']) await root.call('GET', `/api/${type}`);
});
afterAll(() => world.close());

it('a prepared client has its tables and lists, and a new client is created from it', async () => {
  const { main } = world.database.directory;
  const products = (await root.call('GET', '/api/product?size=100'))
    .json<{ data: { id: number; code: string }[] }>()
    .data.filter(({ code }) => ['FMS', 'TKT'].includes(code));
  const draft = {
    code: 'NILA',
    name: 'Nila Lifts',
    sub_domain: world.database.subDomain('nila'),
    legal_name: 'Nila Lifts Pvt Ltd',
    plan: 'standard',
    licensed_users: 5,
    valid_from: '2026-01-01',
    valid_to: '2027-12-31',
    contact_name: 'R. Iyer',
    contact_email: 'it@nila.in',
    admin_name: 'Asha Rao',
    admin_email: 'asha@nila.in',
    admin_username: 'asha.rao',
    companies: [{ code: 'C1', name: 'Company 1', legal_name: 'Company 1', state: 'TN' }],
    products: products.map(({ id }) => ({ product_id: id })),
  };
  const saved = await root.call('POST', '/api/client_account', draft);
  expect(saved.statusCode, saved.body).toBe(201);
  await expect.poll(() => main.query(`select 1 from public.job where name = 'spare_client'`)).toHaveLength(1);
  await world.app.jobs.drain();
  expect(await main.query(`select state, message from public.job where name = 'spare_client'`)).toEqual([
    { state: 'done', message: 'Created for FMS, TKT.' },
  ]);
  const [spare] = await main.query<{ name: string }>('select name from public.spare_schema');
  const cities = (await main.query<{ n: number }>(`select count(*)::int as n from ${spare!.name}.city_mstr`))[0]!.n;
  expect(cities).toBeGreaterThan(1_000);

  const made = await root.call(
    'POST',
    `/api/client_account/${saved.json<{ data: { id: number } }>().data.id}/provision`,
    {},
  );
  expect(made.statusCode, made.body).toBe(200);
  expect(made.json()).toMatchObject({ data: { state: 'active' } });
  const reference = made
    .json<{ steps: { step: string; message: string | null }[] }>()
    .steps.find(({ step }) => step === 'reference');
  expect(reference!.message).toContain(`${cities} cities`);
  expect(await main.query('select 1 from public.spare_schema')).toEqual([]);

  // Nobody is being prepared now: the next will probably want what this one has.
  await world.app.jobs.enqueue('public', 'spare_client', {});
  await world.app.jobs.drain();
  expect(
    await main.query(`select message from public.job where name = 'spare_client' order by id desc limit 1`),
  ).toEqual([{ message: 'Created for FMS, TKT.' }]);
  expect(await main.query('select name from public.spare_schema')).toHaveLength(1);
});
