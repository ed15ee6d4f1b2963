import type { WireRecord } from '../../../descriptor/types.ts';
import type { People, PeopleOn, Row, Stores } from './stores_people.ts';

const ORDER = 'purchase_order';
const GRN = 'grn';

/** What the Chennai store buys. */
export async function purchases(on: PeopleOn): Promise<void> {
  await orders(on);
  await receivedOrders(on);
  await receiptsWithoutOrder(on);
}

const order = (keeper: Stores, vendor: string, lines: Row[]): Promise<WireRecord> =>
  keeper.add(ORDER, {
    vendor_id: keeper.id('vendor_mstr', vendor),
    ship_to_stock_point_id: keeper.point('CHN-ST'),
    lines: lines.map(({ condition: _new, ...line }) => line),
  });

async function approvedOrder({ keeper, manager }: People, vendor: string, lines: Row[]): Promise<WireRecord> {
  const made = await order(keeper, vendor, lines);
  await keeper.take(made, ORDER, 'submit');
  return manager.take(made, ORDER, 'approve');
}

/** Orders of which nothing was received. */
async function orders(on: PeopleOn): Promise<void> {
  const { keeper } = on(0);
  await order(keeper, 'Coimbatore Bearings', [keeper.line('GDS-00002', '12', { rate: '1850' })]);
  const ropes = await order(on(3).keeper, 'Sri Murugan Ropes', [keeper.line('ROP-00002', '200', { rate: '88' })]);
  await on(3).keeper.take(ropes, ORDER, 'submit');
  await approvedOrder(on(2), 'Lift Parts International', [keeper.line('BRD-00003', '4', { rate: '168.30' })]);
  const cable = [keeper.line('CAB-00001', '150', { rate: '285' })];
  await on(6).keeper.take(await approvedOrder(on(8), 'Chennai Cables', cable), ORDER, 'send_by_hand');
  const locks = await approvedOrder(on(55), 'Deccan Controls', [keeper.line('DOR-00003', '6', { rate: '1440' })]);
  await on(50).keeper.because(locks, ORDER, 'cancel', 'The vendor no longer makes this lock.');
}

/** Orders that were received: in full, in part, and in part with the rest given up. */
async function receivedOrders(on: PeopleOn): Promise<void> {
  const sent = async (daysAgo: number, vendor: string, lines: Row[]) =>
    on(daysAgo - 1).keeper.take(await approvedOrder(on(daysAgo), vendor, lines), ORDER, 'send_by_hand');
  const receive = (keeper: Stores, from: WireRecord, fields: Row, lines?: (lines: Row[]) => Row[]) =>
    keeper.make(from, ORDER, 'grn', GRN, { fields, ...(lines && { lines }) }, 'inspect', 'post');
  const { keeper } = on(0);
  const rollers = [keeper.line('DOR-00001', '24', { rate: '615' })];
  await receive(on(20).keeper, await sent(32, 'Coimbatore Bearings', rollers), { vendor_invoice_no: 'CB/1108' });
  const electrical = await sent(12, 'Malabar Electricals', [
    keeper.line('CTR-00001', '20', { rate: '845' }),
    keeper.line('CTR-00002', '10', { rate: '318' }),
  ]);
  await receive(
    keeper,
    electrical,
    { vendor_invoice_no: 'ME/2291', charges: [{ kind: 'freight', amount: '450' }] },
    (lines) => [{ ...lines[0], received_qty: '15', accepted_qty: '13', reject_reason: 'Two housings are cracked' }],
  );
  const inserts = await sent(40, 'Coimbatore Bearings', [keeper.line('GDS-00001', '40', { rate: '96' })]);
  await receive(on(24).keeper, inserts, { vendor_invoice_no: 'CB/1093' }, (lines) => [
    { ...lines[0], received_qty: '25', accepted_qty: '25' },
  ]);
  await on(10).keeper.because(inserts, ORDER, 'short_close', 'The vendor has no more of this size.');
}

/** Goods that came without an order. */
async function receiptsWithoutOrder(on: PeopleOn): Promise<void> {
  const receipt = (keeper: Stores, vendor: string, { qty, ...line }: Row, ...steps: string[]) =>
    keeper.add(
      GRN,
      {
        source: 'vendor',
        vendor_id: keeper.id('vendor_mstr', vendor),
        stock_point_id: keeper.point('CHN-ST'),
        lines: [{ ...line, received_qty: qty, accepted_qty: qty }],
      },
      ...steps,
    );
  const { keeper } = on(0);
  await receipt(keeper, 'Deccan Controls', keeper.line('CBN-00001', '30', { rate: '145' }));
  await receipt(keeper, 'Deccan Controls', keeper.line('CBN-00002', '10', { rate: '560' }), 'inspect');
  const greased = keeper.line('GDS-00002', '6', { rate: '1870' });
  const wrong = await receipt(on(16).keeper, 'Coimbatore Bearings', greased, 'inspect', 'post');
  await on(15).manager.because(wrong, GRN, 'reverse', 'These shoes were delivered for another company.');
  const doubled = await receipt(on(9).keeper, 'Chennai Cables', keeper.line('CAB-00002', '90', { rate: '31' }));
  await on(9).keeper.because(doubled, GRN, 'cancel', 'Entered twice.');
}
