import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { MoneyWorld } from './money_world.ts';
import { day, moneyWorld } from './money_world.ts';

// A company bills maintenance, is paid with TDS, gives credit, and knows what is outstanding on any day.

let world: World;
let money: MoneyWorld;

beforeAll(async () => {
  world = await startWorld({});
  money = await moneyWorld(world);
});
afterAll(() => world.close());

describe('a bill', () => {
  it('computes GST by place, rounds to the rupee, and gets its gapless number when it is posted', async () => {
    const { ids, ok, clerk, step, bill, read } = money;
    const rows = ['10625.00', '9166.67', '4166.67'].map((rate) => ({
      service_id: ids.service,
      description: 'AMC',
      qty: '1',
      rate,
    }));
    const draft = await bill('1', { lines: rows }, false);
    expect(draft).toMatchObject({
      bill_no: null,
      supply: 'intra_state',
      supplier_gstin: '33AAFCM4821Q1Z6',
      due_on: day(30),
      taxable_total: '23958.34',
      cgst_total: '2156.25',
      sgst_total: '2156.25',
      igst_total: '0.00',
      round_off: '0.16',
      grand_total: '28271.00',
      outstanding: '0.00',
      lines: [{ sac: '998718' }, {}, {}],
    });
    const far = await bill('1', { building_id: ids.far, lines: rows }, false);
    expect(far).toMatchObject({ supply: 'inter_state', igst_total: '4312.50', grand_total: '28271.00' });
    const posted = await ok(step(clerk, 'billing', draft.id, 'post'));
    expect(posted).toMatchObject({ status: 'posted', outstanding: '28271.00' });
    expect(String(posted.bill_no)).toMatch(/^INV\/\d\d-\d\d\/00001$/);
    expect((await money.admin.call('DELETE', `/tapi/billing/${far.id}`)).statusCode).toBe(204);
    expect((await bill('100.00')).bill_no).toMatch(/00002$/);
    const pdf = await clerk.call('GET', `/tapi/billing/${draft.id}/print/original.pdf`);
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    const put = await clerk.call('PUT', `/tapi/billing/${draft.id}`, {
      version: (await read('billing', draft.id)).version,
      lines: [],
    });
    expect(put.statusCode).toBe(409);
  });
});
