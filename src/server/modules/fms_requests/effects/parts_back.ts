import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { countCards } from '../exchange.ts';
import { addToOrders } from '../open_lines.ts';
import { addToRows, rowsOf, setRows, sumByRow } from '../request_lines.ts';
import { lineAfter } from './parts_used.ts';

type Row = Record<string, unknown>;

/** Counts returned parts (below 0: a reversal) at the dues and the requests. */
async function count(unit: Unit, record: Row, sign: 1 | -1): Promise<void> {
  const all = unit.elevated();
  for (const row of rowsOf(record)) {
    // If another part was returned by mistake, the right one is still due.
    if (row.kind !== 'faulty' || typeof row.return_due_id !== 'number' || row.found === 'different_serial') continue;
    const due = await all.read('mr_return_due', row.return_due_id, { lock: true });
    await all.update('mr_return_due', due.id, {
      received_qty: new Exact(String(due.received_qty)).plus(new Exact(String(row.qty)).times(sign)).toString(),
    });
  }
  await countCards(unit, record, sign);
  const back = rowsOf(record).flatMap(({ kind, mr_line: line, mr_id: request, qty }) =>
    (kind === 'unused' || kind === 'wrong_supply') && typeof line === 'number' && typeof request === 'number'
      ? [{ row: line, request, qty: new Exact(String(qty)).times(sign).toString() }]
      : [],
  );
  await addToOrders(
    unit,
    back.map(({ row, qty }) => ({ line: row, column: 'returned_qty' as const, qty })),
  );
  for (const request of new Set(back.map((one) => one.request)))
    await addToRows(
      unit,
      'mr',
      request,
      sumByRow(
        back.filter((one) => one.request === request),
        'returned_qty',
      ),
      lineAfter,
    );
  for (const { kind, mr_line: line, mr_id: request, qty } of rowsOf(record))
    if (kind === 'loan_back' && typeof line === 'number' && typeof request === 'number')
      await addToRows(
        unit,
        'mr',
        request,
        new Map([[line, { loan_back_qty: new Exact(String(qty)).times(sign).toString() }]]),
      );
}

/** The batches under which customers' own cards were received: their tags. */
async function rememberTags(unit: Unit, record: Row & { id: number }): Promise<void> {
  const cards = rowsOf(record).filter(({ kind }) => kind === 'customer_card');
  const batches = await unit.query<{ id: number; item: number; tag: string }>(
    'select id, item_id as item, lower(batch_no) as tag from {stock_batch} where entity_id = $1 and lower(batch_no) = any($2::text[])',
    [unit.session.entityId, cards.map(({ tag }) => String(tag).toLowerCase())],
  );
  await setRows(
    unit,
    'mr_receipt',
    record.id,
    new Map(
      cards.flatMap(({ id, item_id: item, tag }) => {
        const batch = batches.find((one) => Number(one.item) === item && one.tag === String(tag).toLowerCase());
        return batch ? [[id, { batch_id: Number(batch.id) }] as const] : [];
      }),
    ),
  );
}

/** The pieces that were received under the entered serial numbers: they go on to repair or scrap under these. */
async function rememberSerials(unit: Unit, record: Row & { id: number }): Promise<void> {
  const faulty = rowsOf(record).filter(({ kind, serial_no: no }) => kind === 'faulty' && no !== null);
  const pieces = await unit.query<{ id: number; item: number; no: string }>(
    'select id, item_id as item, lower(serial_no) as no from {stock_serial} where entity_id = $1 and lower(serial_no) = any($2::text[])',
    [unit.session.entityId, faulty.map(({ serial_no: no }) => String(no).trim().toLowerCase())],
  );
  await setRows(
    unit,
    'mr_receipt',
    record.id,
    new Map(
      faulty.flatMap(({ id, item_id: item, serial_no: no, serial_ids: chosen }) => {
        if (Array.isArray(chosen) && chosen.length > 0) return [];
        const piece = pieces.find((one) => Number(one.item) === item && one.no === String(no).trim().toLowerCase());
        return piece ? [[id, { serial_ids: [Number(piece.id)] }] as const] : [];
      }),
    ),
  );
}

/** Counts returned parts at their dues and requests. */
export const partsBack: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await count(unit, record, 1);
    await rememberTags(unit, record);
    await rememberSerials(unit, record);
  },
  reverse: ({ unit, record }) => count(unit, record, -1),
};

const ENDS: Readonly<Record<string, string>> = {
  repair: 'under_repair',
  vendor_claim: 'claimed',
  scrap: 'scrapped',
  restock: 'restocked',
  return_to_customer: 'given_back',
};

/** Completes each part according to its decision. */
export const partsInspected: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await setRows(
      unit,
      'mr_receipt',
      record.id,
      new Map(
        rowsOf(record).map(({ id, disposition }) => [id, { line_end: ENDS[String(disposition)] ?? 'restocked' }]),
      ),
    );
  },
};

/** Returns repaired parts to the store. */
export const partsRepaired: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const back = rowsOf(record).filter(({ line_end: end }) => end === 'under_repair');
    await setRows(unit, 'mr_receipt', record.id, new Map(back.map(({ id }) => [id, { line_end: 'restocked' }])));
  },
};
