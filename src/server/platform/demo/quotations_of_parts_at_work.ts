import type { WireRecord } from '../../../descriptor/types.ts';
import { DECIDED, approvedRequest, faultyLine, fit, issueFor, receipt } from './parts_at_work.ts';
import type { PeopleOn, Row } from './stores_people.ts';

const QUOTATION = 'mr_quotation';
const ORDER = 'mr_contract';
/** The days for which an offer is valid. */
const VALID = 30;

/** Parts that customers pay for: offers in all states, and the orders that came of them. */
export async function quotationsOfParts(on: PeopleOn): Promise<void> {
  await offersInTheOffice(on);
  await offersWithoutOrder(on);
  await openOrders(on);
  await fulfilledOrder(on);
  await cardsInExchange(on);
}

/** The offer that the product drafts when the parts of a request are approved. */
async function draft(
  on: PeopleOn,
  daysAgo: number,
  lift: string,
  part: { item: string; qty: string; why: string },
  terms: Row = {},
): Promise<WireRecord> {
  const { keeper } = on(daysAgo - DECIDED);
  const request = await approvedRequest(on, daysAgo, {
    lift,
    technician: 'L0025',
    remark: part.why,
    line: keeper.line(part.item, part.qty, { cover: 'chargeable', cover_reason: 'The customer asked for it' }),
  });
  const offer = await keeper.newest(QUOTATION, 'mr_id', request.id);
  return keeper.change(offer, QUOTATION, {
    quote_date: keeper.day(-daysAgo),
    valid_to: keeper.day(VALID - daysAgo),
    delivery_days: 7,
    ...terms,
  });
}

async function approved(on: PeopleOn, daysAgo: number, ...of: Rest): Promise<WireRecord> {
  const offer = await draft(on, daysAgo, ...of);
  await on(daysAgo - 0.15).keeper.take(offer, QUOTATION, 'submit');
  return on(daysAgo - 1).manager.take(offer, QUOTATION, 'approve');
}

type Rest = Parameters<typeof draft> extends [PeopleOn, number, ...infer Other] ? Other : never;

const sent = async (on: PeopleOn, daysAgo: number, ...of: Rest): Promise<WireRecord> =>
  on(daysAgo - 1.1).keeper.take(await approved(on, daysAgo, ...of), QUOTATION, 'hand_over');

/** Offers that are being written or approved. */
async function offersInTheOffice(on: PeopleOn): Promise<void> {
  const cheap = await draft(on, 2, 'L00007', { item: 'CTR-00001', qty: '3', why: 'New contactors for the old panel.' });
  const lines = (cheap.lines as Row[]).map((line) => ({ ...line, discount: '15' }));
  await on(1.8).keeper.change(cheap, QUOTATION, { lines });
  await on(1.8).keeper.take(cheap, QUOTATION, 'submit');
  await approved(on, 5, 'L00008', { item: 'DOR-00003', qty: '2', why: 'Locks with a contact for the new fire alarm.' });
}

/** Offers that customers have not answered, refused or let expire, and offers that we took back. */
async function offersWithoutOrder(on: PeopleOn): Promise<void> {
  await sent(on, 9, 'L00011', { item: 'CBN-00002', qty: '8', why: 'LED lights for the cabin.' });
  const cable = await sent(on, 60, 'L00010', {
    item: 'CAB-00001',
    qty: '30',
    why: 'A new travelling cable.',
  });
  await on(48).keeper.because(cable, QUOTATION, 'refuse', 'Too expensive. The cable is repaired instead.');
  const buttons = await sent(on, 70, 'L00013', {
    item: 'CBN-00001',
    qty: '12',
    why: 'Buttons with braille.',
  });
  await on(39).keeper.act((unit) => unit.takeAuto(QUOTATION, buttons.id, 'expire'));
  const encoder = await sent(on, 52, 'L00022', { item: 'BRD-00003', qty: '1', why: 'An encoder for smooth stops.' });
  await on(41).keeper.take(encoder, QUOTATION, 'revise');
  const rollers = await draft(on, 20, 'L00025', { item: 'DOR-00001', qty: '6', why: 'Quiet rollers for the night.' });
  await on(19).keeper.because(rollers, QUOTATION, 'withdraw', 'The hotel renews the whole door next year.');
}

/** An offer that the customer accepted, and its order. */
async function accepted(
  on: PeopleOn,
  offer: WireRecord,
  daysAgo: number,
  { by, order }: { by: string; order: string },
): Promise<WireRecord> {
  const { keeper } = on(daysAgo);
  await keeper.step(offer, QUOTATION, 'accept', { accepted_by_name: by, customer_po_no: order });
  return keeper.newest(ORDER, 'mr_quotation_id', offer.id);
}

/** Orders whose parts have not been supplied. */
async function openOrders(on: PeopleOn): Promise<void> {
  const board = { item: 'BRD-00001', qty: '1', why: 'A new control board before the audit.' };
  await accepted(on, await sent(on, 16, 'L00012', board, { advance_percent: '30' }), 11, {
    by: 'Dr. Meera Sundaram',
    order: 'SHP/PO/1187',
  });
  const cable = { item: 'CAB-00001', qty: '40', why: 'A travelling cable with wires for the camera.' };
  await accepted(on, await sent(on, 30, 'L00021', cable), 22, { by: 'R. Venkatesan', order: 'SR/MAS/2217' });
  const drive = { item: 'BRD-00002', qty: '1', why: 'A drive that saves power.' };
  const postponed = await accepted(on, await sent(on, 44, 'L00009', drive), 38, {
    by: 'S. Chidambaram',
    order: 'CCP-0931',
  });
  await on(31).manager.because(postponed, ORDER, 'cancel', 'The customer postpones it to the next financial year.');
}

/** An order whose parts are in use: the bill is next. */
async function fulfilledOrder(on: PeopleOn): Promise<void> {
  const part = { item: 'CTR-00001', qty: '2', why: 'Contactors for the second speed.' };
  const order = await accepted(on, await sent(on, 27, 'L00024', part), 21, { by: 'Lakshmi Menon', order: 'HMB/415' });
  await issueFor(on(19).keeper, await on(19).keeper.newest('mr', 'id', order.mr_id));
  const { keeper } = on(18);
  await fit(keeper, 'L00024', 'L0025', keeper.line('CTR-00001', '2', { removed_condition: 'none_removed' }));
}

/** A card pack for which old cards are credited: one of two was handed over. */
async function cardsInExchange(on: PeopleOn): Promise<void> {
  const daysAgo = 27;
  const pack = { item: 'PCK-00001', qty: '1', why: 'The controller fails again and again: all its cards at once.' };
  const offer = await draft(on, daysAgo, 'L00025', pack);
  const { keeper } = on(daysAgo - 0.15);
  const cards = [
    { code: 'BRD-00001', rate: '18500', credit: '2500', serial: 'MCB-1001', old: 'MCB-0655' },
    { code: 'BRD-00002', rate: '38500', credit: '4000', serial: 'YK-5501', old: 'YK-1187' },
  ].map((card) => ({ ...card, item_id: keeper.id('item_mstr', card.code) }));
  const [line] = offer.lines as Row[];
  await keeper.change(offer, QUOTATION, {
    format: 'card_pack',
    pack_name: 'Card pack MCB-4 with drive',
    pack_discount: '6',
    lines: cards.map(({ item_id, rate }) => ({ mr_line: line!.mr_line, line_kind: 'part', item_id, qty: '1', rate })),
    exchange: cards.map(({ item_id, credit }) => ({ item_id, qty: '1', credit_rate: credit })),
  });
  await keeper.take(offer, QUOTATION, 'submit');
  await on(daysAgo - 1).manager.take(offer, QUOTATION, 'approve');
  await on(daysAgo - 2).keeper.take(offer, QUOTATION, 'hand_over');
  const order = await accepted(on, offer, 20, { by: 'Lakshmi Menon', order: 'HMB/421' });
  const serialOf = async (item: unknown) => {
    const { serial } = cards.find(({ item_id }) => item_id === item)!;
    return [(await on(0).keeper.newest('stock_serial', 'serial_no', serial)).id];
  };
  const serials = new Map(
    await Promise.all(cards.map(async ({ item_id }) => [item_id, await serialOf(item_id)] as const)),
  );
  await issueFor(on(17).keeper, await on(17).keeper.newest('mr', 'id', order.mr_id), (lines) =>
    lines.map((one) => ({ ...one, serial_ids: serials.get(one.item_id as number) })),
  );
  await fit(
    on(16).keeper,
    'L00025',
    'L0025',
    ...cards.map(({ code, old, item_id }) =>
      keeper.line(code, '1', { removed_condition: 'faulty', old_serial_no: old, new_serial_ids: serials.get(item_id) }),
    ),
  );
  const due = await keeper.newest('mr_return_due', 'old_serial_no', 'MCB-0655');
  await receipt(on(12).keeper, 'L0025', faultyLine(due), 'receive');
}
