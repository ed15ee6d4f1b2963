import type { WireRecord } from '../../../descriptor/types.ts';
import type { People, PeopleOn, Row, Stores } from './stores_people.ts';

const ADJUSTMENT = 'stock_adjustment';
const COUNT = 'stock_count';
const EXTENSION = 'batch_extension';

const monthEnd = (day: string, monthsAgo: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - monthsAgo, 0)).toISOString().slice(0, 10);

/** The stock with which the stores start, and the months of its accounts. */
export async function openingStock(on: PeopleOn, today: string): Promise<void> {
  const { keeper, manager } = on(75);
  const opening = async (store: string, lines: Row[]) => {
    const made = await adjustment(keeper, 'opening', 'Stock at the start', lines, store);
    await keeper.take(made, ADJUSTMENT, 'submit');
    await manager.take(made, ADJUSTMENT, 'approve', 'post');
  };
  const bin = (code: string) => ({ bin_id: keeper.id('bin_mstr', code) });
  await opening('CHN-ST', [
    keeper.line('CTR-00001', '40', { rate: '820', ...bin('CHN-EL-R1-01') }),
    keeper.line('CTR-00002', '25', { rate: '310', ...bin('CHN-EL-R1-02') }),
    keeper.line('BRD-00001', '4', { rate: '11800', serial_nos: ['MCB-1001', 'MCB-1002', 'MCB-1003', 'MCB-1004'] }),
    keeper.line('BRD-00002', '3', { rate: '24600', serial_nos: ['YK-5501', 'YK-5502', 'YK-5503'] }),
    keeper.line('ROP-00001', '120', { rate: '165', batch_no: 'UM-2611', made_on: keeper.day(-200) }),
    keeper.line('DOR-00002', '3', { rate: '1150', ...bin('CHN-ME-R1-01') }),
    keeper.line('CBN-00003', '6', { rate: '940', batch_no: 'EX-0412', made_on: keeper.day(-345) }),
    keeper.line('OIL-00001', '50', { rate: '212.5', batch_no: 'SV-77', made_on: keeper.day(-400) }),
    keeper.line('OIL-00001', '20', { rate: '205', batch_no: 'SV-71', made_on: keeper.day(-690) }),
    keeper.line('OIL-00002', '8', { rate: '480', batch_no: 'GR-118', made_on: keeper.day(-680) }),
    keeper.line('HYD-00002', '3', { rate: '2650', batch_no: 'SK-03', made_on: keeper.day(-1_780) }),
  ]);
  await opening('CBE-ST', [
    keeper.line('CTR-00001', '12', { rate: '820' }),
    keeper.line('DOR-00002', '8', { rate: '1150' }),
    keeper.line('GDS-00001', '16', { rate: '95' }),
  ]);
  const now = on(0);
  await now.manager.add('stock_period', { month_end: monthEnd(today, 2) }, 'close');
  await now.keeper.add('stock_period', { month_end: monthEnd(today, 1) });
}

const adjustment = (keeper: Stores, kind: string, reason: string, lines: Row[], store = 'CHN-ST') =>
  keeper.add(ADJUSTMENT, { kind, stock_point_id: keeper.point(store), reason, lines });

/** Differences found at the shelf: from a draft to one that was taken back. */
export async function adjustments(on: PeopleOn): Promise<void> {
  const { keeper, manager } = on(0);
  await adjustment(keeper, 'write_off', 'Water came into the shelf', [keeper.line('CTR-00002', '2')]);
  const batch = await keeper.newest('stock_batch', 'batch_no', 'EX-0412');
  const lines = [keeper.line('CBN-00003', '2', { batch_id: batch.id })];
  const corroded = await adjustment(keeper, 'write_off', 'Terminals are corroded', lines);
  await keeper.take(corroded, ADJUSTMENT, 'submit');
  const found = await adjustment(keeper, 'found', 'Found behind the rack', [keeper.line('CTR-00002', '1')]);
  await keeper.take(found, ADJUSTMENT, 'submit');
  await manager.take(found, ADJUSTMENT, 'approve');
  const missing = await adjustment(keeper, 'write_off', 'Missing in the bin', [keeper.line('CTR-00001', '1')]);
  await keeper.take(missing, ADJUSTMENT, 'submit');
  await manager.take(missing, ADJUSTMENT, 'approve', 'post');
  await manager.because(missing, ADJUSTMENT, 'reverse', 'It lay in the bin beside it.');
  const before = on(12).keeper;
  const twice = await adjustment(before, 'write_off', 'Belt is cracked', [before.line('DOR-00002', '1')]);
  await before.because(twice, ADJUSTMENT, 'cancel', 'The vendor replaces the belt.');
}

/** Batches near the end of their shelf life that were tested and may be used longer, if the manager agrees. */
export async function extensions(on: PeopleOn): Promise<void> {
  const ask = async ({ keeper }: People, batch: string, days: number, why: string, ...steps: string[]) => {
    const { id } = await keeper.newest('stock_batch', 'batch_no', batch);
    return keeper.add(EXTENSION, { batch_id: id, extend_to: keeper.day(days), why }, ...steps);
  };
  await ask(on(1), 'SV-77', 420, 'Viscosity and water content measured: as new.', 'ask');
  const oil = await ask(on(20), 'SV-71', 150, 'Sample tested by the maker: within its limits.', 'ask');
  await on(18).manager.take(oil, EXTENSION, 'approve');
  const seals = await ask(on(15), 'SK-03', 200, 'Packed in foil, never opened.', 'ask');
  await on(14).manager.because(seals, EXTENSION, 'refuse', 'The lips are brittle. Claim them from the vendor.');
  await ask(on(0), 'GR-118', 180, 'A sample is at the laboratory.');
}

/** Counts of a few items or a kit; only a count in full stops the movements of its store. */
export async function counts(on: PeopleOn): Promise<void> {
  const { keeper, manager } = on(0);
  const start = (store: string, ...items: string[]) =>
    keeper.add(
      COUNT,
      {
        stock_point_id: keeper.point(store),
        scope: 'items',
        item_ids: items.map((code) => keeper.id('item_mstr', code)),
      },
      'start',
    );
  const enter = (count: WireRecord, found: Row, column = 'first_count') =>
    keeper.change(count, COUNT, {
      lines: (count.lines as Row[]).map((line) => {
        const item = Object.keys(found).find((code) => keeper.id('item_mstr', code) === line.item_id);
        return item === undefined ? line : { ...line, [column]: found[item] };
      }),
    });
  const counted = async (store: string, found: Row) =>
    keeper.take(await enter(await start(store, ...Object.keys(found)), found), COUNT, 'count');

  const posted = await counted('CBE-ST', { 'GDS-00001': '16', 'DOR-00002': '7' });
  await manager.take(posted, COUNT, 'recount');
  await enter(posted, { 'DOR-00002': '7' }, 'second_count');
  await manager.take(posted, COUNT, 'recounted', 'approve', 'post');
  await enter(await start('CHN-ST', 'ROP-00001', 'CBN-00003'), { 'ROP-00001': '120' });
  const full = await keeper.add(COUNT, { stock_point_id: keeper.point('HYD-ST'), scope: 'full' }, 'start');
  await keeper.because(full, COUNT, 'cancel', 'A lorry is being unloaded. We count on Saturday.');
  await keeper.add(COUNT, { stock_point_id: keeper.point('KIT-01'), scope: 'kit' });
  await counted('CBE-ST', { 'CTR-00001': '12' });
  await manager.take(await counted('CBE-ST', { 'CTR-00002': '2' }), COUNT, 'recount');
  await manager.take(await counted('BLR-ST', { 'BRD-00001': '0' }), COUNT, 'approve');
}
