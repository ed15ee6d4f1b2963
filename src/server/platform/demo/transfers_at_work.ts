import type { WireRecord } from '../../../descriptor/types.ts';
import type { People, PeopleOn, Row, Stores } from './stores_people.ts';

const INDENT = 'mr_indent';
const TRANSFER = 'mr_transfer';

/** How the central store in Chennai supplies the other stores. */
export async function indentsAndTransfers(on: PeopleOn): Promise<void> {
  await indents(on);
  await suppliedIndents(on);
  await transfersBeforeDispatch(on);
  await transfersOnTheWay(on(0));
  await lostOnTheWay(on(0));
}

const indent = (keeper: Stores, store: string, lines: Row[], ...steps: string[]): Promise<WireRecord> =>
  keeper.add(
    INDENT,
    {
      kind: 'reorder',
      for_stock_point_id: keeper.point(store),
      from_stock_point_id: keeper.point('CHN-ST'),
      lines,
    },
    ...steps,
  );

async function approvedIndent({ keeper, manager }: People, store: string, lines: Row[]): Promise<WireRecord> {
  return manager.take(await indent(keeper, store, lines, 'submit'), INDENT, 'approve');
}

/** Indents of which nothing was supplied. */
async function indents(on: PeopleOn): Promise<void> {
  const { keeper } = on(0);
  await indent(keeper, 'HYD-ST', [keeper.line('CTR-00001', '6'), keeper.line('CTR-00002', '4')], 'submit');
  await indent(keeper, 'CBE-ST', [keeper.line('BRD-00001', '1')]);
  const drives = await indent(on(34).keeper, 'HYD-ST', [keeper.line('BRD-00002', '2')], 'submit');
  await on(33).manager.because(drives, INDENT, 'reject', 'Drives are kept in Chennai only. Ask by request.');
  const belts = await approvedIndent(on(28), 'BLR-ST', [keeper.line('DOR-00003', '4')]);
  await on(21).keeper.because(belts, INDENT, 'short_close', 'Bought in Bengaluru.');
  const oil = await indent(on(46).keeper, 'BLR-ST', [keeper.line('OIL-00001', '10')]);
  await on(46).keeper.because(oil, INDENT, 'cancel', 'Entered for the wrong store.');
}

/** Indents that were supplied: on the way, in part, and in full. */
async function suppliedIndents(on: PeopleOn): Promise<void> {
  const { keeper, manager } = on(0);
  const dispatch = (of: WireRecord, lines?: (lines: Row[]) => Row[]) =>
    keeper.make(
      of,
      INDENT,
      'transfer',
      TRANSFER,
      { fields: { transfer_date: keeper.day(0), expected_on: keeper.day(1) }, ...(lines && { lines }) },
      'submit',
      'dispatch',
    );
  await dispatch(await approvedIndent(on(2), 'BLR-ST', [keeper.line('CTR-00001', '8')]));
  const rollers = await dispatch(await approvedIndent(on(5), 'CBE-ST', [keeper.line('DOR-00001', '6')]));
  await receive(manager, rollers);
  const both = await approvedIndent(on(7), 'HYD-ST', [keeper.line('DOR-00001', '4'), keeper.line('GDS-00001', '10')]);
  await receive(manager, await dispatch(both, (lines) => lines.slice(0, 1)));
}

const receive = (person: Stores, transfer: WireRecord, line: Row = {}, fields: Row = {}): Promise<WireRecord> =>
  person.make(
    transfer,
    TRANSFER,
    'grn',
    'grn',
    { fields, lines: (lines) => [{ ...lines[0], ...line }] },
    'inspect',
    'post',
  );

const transfer = (keeper: Stores, store: string, lines: Row[], ...steps: string[]): Promise<WireRecord> =>
  keeper.add(
    TRANSFER,
    { from_stock_point_id: keeper.point('CHN-ST'), to_stock_point_id: keeper.point(store), lines },
    ...steps,
  );

async function dispatched({ keeper, manager }: People, store: string, lines: Row[]): Promise<WireRecord> {
  const made = await transfer(keeper, store, lines, 'submit');
  await manager.take(made, TRANSFER, 'approve');
  return keeper.take(made, TRANSFER, 'dispatch');
}

/** Transfers without an indent that have not left the store. */
async function transfersBeforeDispatch(on: PeopleOn): Promise<void> {
  const { keeper } = on(0);
  await transfer(keeper, 'CBE-ST', [keeper.line('OIL-00001', '10')], 'submit');
  await transfer(keeper, 'HYD-ST', [keeper.line('ROP-00001', '30')]);
  const inserts = await transfer(on(1).keeper, 'BLR-ST', [keeper.line('GDS-00001', '8')], 'submit');
  await on(0).manager.take(inserts, TRANSFER, 'approve');
  const boards = await transfer(on(26).keeper, 'HYD-ST', [keeper.line('BRD-00001', '2')], 'submit');
  await on(25).manager.because(boards, TRANSFER, 'reject', 'One board must stay in Chennai.');
  const batteries = await transfer(on(38).keeper, 'CBE-ST', [keeper.line('CBN-00003', '2')], 'submit');
  await on(37).keeper.because(batteries, TRANSFER, 'cancel', 'Coimbatore has bought its own.');
}

/** A transfer of which more is to come, and one that came short and broken. */
async function transfersOnTheWay(people: People): Promise<void> {
  const { keeper, manager } = people;
  const parcels = await dispatched(people, 'HYD-ST', [keeper.line('CTR-00001', '4')]);
  await receive(manager, parcels, { received_qty: '3', accepted_qty: '3' }, { is_last: false });
  const short = await dispatched(people, 'CBE-ST', [keeper.line('CTR-00002', '5')]);
  await receive(manager, short, { received_qty: '4', accepted_qty: '3', reject_reason: 'Broken on the way' });
}

/** Two transfers of which a piece is lost: one loss is approved. */
async function lostOnTheWay(people: People): Promise<void> {
  const lost = async (store: string, item: string, qty: string, came: string) => {
    const { keeper, manager } = people;
    const made = await dispatched(people, store, [keeper.line(item, qty)]);
    await receive(manager, made, { received_qty: came, accepted_qty: came });
    const differing = await keeper.newest(TRANSFER, 'id', made.id);
    await keeper.change(differing, TRANSFER, {
      lines: (differing.lines as Row[]).map((line) => ({ ...line, resolution: 'lost' })),
      remark: 'The carrier finds no trace of it.',
    });
    return manager.take(differing, TRANSFER, 'resolve');
  };
  await lost('BLR-ST', 'DOR-00001', '4', '3');
  await people.engineer.take(await lost('HYD-ST', 'CTR-00002', '3', '2'), TRANSFER, 'approve_loss');
}
