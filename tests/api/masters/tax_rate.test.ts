import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({});
  acme = await world.tenant({ products: ['FMS'] });
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

it('IGST is the sum of CGST and SGST, for a new rate and for a changed one', async () => {
  const made = async (path: string, body: object) =>
    (await admin.call('POST', path, body)).json<{ data: { id: number; version: number } }>().data;
  const category = await made('/tapi/tax_category_mstr', {
    code: 'C',
    name: 'Services',
    supply: 'service',
    treatment: 'taxable',
  });
  const tax = await made('/tapi/tax', {
    code: 'GST18',
    name: 'GST 18 %',
    tax_category_id: category.id,
    print_label: 'GST 18 %',
  });
  const rate = {
    tax_id: tax.id,
    cgst: '9',
    sgst: '9',
    igst: '18',
    cgst_ledger: 'C',
    sgst_ledger: 'S',
    igst_ledger: 'I',
    valid_from: '2017-07-01',
  };
  const wrong = await admin.call('POST', '/tapi/tax_rate', { ...rate, igst: '17.5' });
  expect(wrong.statusCode).toBe(422);
  expect(wrong.body).toContain('IGST must be the sum of CGST and SGST.');
  const { id, version } = await made('/tapi/tax_rate', rate);
  const changed = await admin.call('PUT', `/tapi/tax_rate/${id}`, { cgst: '8', version });
  expect(changed.statusCode).toBe(422);
  expect(changed.body).toContain('IGST must be the sum of CGST and SGST.');
  const utgst = await admin.call('PUT', `/tapi/tax_rate/${id}`, { utgst: '8', utgst_ledger: 'U', version });
  expect(utgst.body).toContain('UTGST replaces SGST');
});
