import { Exact } from '../../../../descriptor/exact.ts';
import { shelfLife } from '../../../../domain/fms_stores/shelf_life.ts';
import type { Call, Effect } from '../../../engine/modules.ts';
import type { Ref } from '../../../engine/events/ref.ts';
import type { DescribedMovement } from '../stock/described_movements.ts';
import { lineChanges } from '../stock/line_changes.ts';
import { indianDay, plainQuantity } from '../stock/lookups.ts';
import { addToLines } from '../stock/matched_lines.ts';
import type { Posted } from '../stock/movement.ts';
import { reserve } from '../stock/reservations.ts';
import { stock } from './stock.ts';

type Row = Record<string, unknown>;

const number = (value: unknown): string => String(value ?? 0);
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The stock movements of each source of a receipt (the events of 3.1). */
const MOVES: Readonly<Record<string, { event: string; moves: DescribedMovement[] }>> = (() => {
  const row = { qty: 'accepted_qty', uom: 'uom_id', condition: 'condition', to: 'stock_point_id', to_bin: 'bin_id' };
  const bought = {
    ...row,
    value: 'landed_value',
    new_serials: 'serial_nos',
    new_batch: 'batch_no',
    made_on: 'made_on',
    vendor: 'vendor_id',
  };
  const known = { batch: 'batch_id', serials: 'serial_ids' };
  return {
    vendor: { event: 'receipt', moves: [bought] },
    opening: { event: 'opening', moves: [bought] },
    transfer: {
      event: 'transfer_receipt',
      moves: [
        { ...row, ...known, from: 'transit_of(stock_point_id)' },
        {
          qty: 'rejected_qty',
          uom: 'uom_id',
          condition: 'condition',
          to_condition: "'faulty'",
          batch: 'batch_id',
          serials: 'rejected_serial_ids',
          from: 'transit_of(stock_point_id)',
          to: 'quarantine_of(stock_point_id)',
          value: '0',
          reason: 'reject_reason',
        },
      ],
    },
    repair: {
      event: 'repair_back',
      moves: [
        {
          ...row,
          ...known,
          condition: "'faulty'",
          to_condition: "'refurbished'",
          from: 'repairer_point_id',
          value: 'landed_value',
        },
      ],
    },
  };
})();

/** A transfer with the numbers that its messages use. */
interface Transfer extends Row {
  id: number;
  lines: Row[];
}

/**
 * Posts a receipt: accepted goods enter stock; rejected goods of a transfer go to quarantine in the same posting.
 * Updates the transfer, its indent and the request behind it.
 */
export const receive: Effect = {
  elevated: true,
  async locks({ unit, record }): Promise<Ref[]> {
    const refs: Ref[] = [];
    if (isNumber(record.po_id)) refs.push({ type: 'purchase_order', id: record.po_id });
    if (isNumber(record.transfer_id)) {
      refs.push({ type: 'mr_transfer', id: record.transfer_id });
      const [transfer] = await unit.query<{ indent: number | null }>(
        'select indent_id as indent from {mr_transfer} where id = $1',
        [record.transfer_id],
      );
      if (isNumber(transfer?.indent)) refs.push({ type: 'mr_indent', id: transfer.indent });
    }
    return refs;
  },
  async apply(call): Promise<Posted | null> {
    const { record } = call;
    const source = String(record.source);
    await refuseOld(call);
    const transfer = source === 'transfer' && isNumber(record.transfer_id) ? await openTransfer(call) : null;
    const { event, moves } = MOVES[source]!;
    const posted = (await stock.apply({
      ...call,
      args: { event, at: 'grn_date', no: 'grn_no', moves },
    })) as Posted | null;
    if (transfer) await updateTransfer(call, transfer);
    if (isNumber(record.po_id)) await updateOrder(call, record.po_id, 1);
    if (source === 'vendor' && posted) await rememberCost(call, posted);
    return posted;
  },
  async reverse(call, result): Promise<void> {
    const { unit, record } = call;
    if (record.source === 'transfer')
      unit.refuse(
        [{ field: '', message: 'A receipt of a transfer cannot be reversed. Send the goods back by a transfer.' }],
        409,
      );
    await stock.reverse!(call, result);
    if (isNumber(record.po_id)) await updateOrder(call, record.po_id, -1);
  },
};

/** Refuses goods whose remaining shelf life is too short (5.17). */
async function refuseOld({ unit, record }: Call): Promise<void> {
  const lines = record.lines as Row[];
  const rows = await unit.query<{ id: number; code: string; days: number; least: string | null }>(
    `select i.id, i.item_code as code, l.days, l.min_remaining_percent_on_receipt as least from {item_mstr} i join {shelf_life} l on l.id = i.shelf_life_id
     where i.id = any($1::bigint[])`,
    [lines.map(({ item_id: id }) => id)],
  );
  lines.forEach((line, place) => {
    const life = rows.find(({ id }) => id === line.item_id);
    if (!life || typeof line.made_on !== 'string' || life.least === null || number(line.accepted_qty) === '0') return;
    const { expiresOn, percentLeft } = shelfLife(line.made_on, life.days, String(record.grn_date));
    if (new Exact(percentLeft).lessThan(life.least))
      unit.refuse([
        {
          field: `lines.${place}.made_on`,
          message: `${life.code} expires on ${indianDay(expiresOn)}: ${percentLeft} % of its life is left, ${plainQuantity(life.least)} % are required. Reject it.`,
        },
      ]);
  });
}

/** The transfer being received, locked; its sender may not receive it. */
async function openTransfer({ unit, record }: Call): Promise<Transfer> {
  const transfer = (await unit
    .elevated()
    .read('mr_transfer', Number(record.transfer_id), { lock: true })) as unknown as Transfer;
  if (!['dispatched', 'part_received'].includes(String(transfer.state)))
    unit.refuse(
      [{ field: 'transfer_id', message: `Transfer ${String(transfer.transfer_no ?? '')} is not in transit.` }],
      409,
    );
  if (transfer.to_stock_point_id !== record.stock_point_id)
    unit.refuse([{ field: 'stock_point_id', message: 'Receive the transfer where it was sent to.' }]);
  if (transfer.dispatched_by_id === unit.session.userId)
    unit.refuse([{ field: 'transfer_id', message: 'Another person must receive this: you sent it.' }], 409);
  return transfer;
}

const openOf = (line: Row): string =>
  new Exact(number(line.qty))
    .minus(number(line.received_qty))
    .minus(number(line.damaged_qty))
    .minus(number(line.back_qty))
    .minus(number(line.lost_qty))
    .toString();

/** Updates the received quantities of the transfer, its indent and the request. */
async function updateTransfer({ unit, record }: Call, transfer: Transfer): Promise<void> {
  const own = unit.elevated();
  const rows = record.lines as Row[];
  const taken = (column: string) =>
    rows.map((line) => ({
      item: Number(line.item_id),
      condition: String(line.condition),
      batch: (line.batch_id as number | null) ?? null,
      qty: number(line[column]),
    }));
  const accepted = addToLines(transfer.lines, taken('accepted_qty'), 'received_qty', openOf);
  const damaged = addToLines(accepted.lines, taken('rejected_qty'), 'damaged_qty', openOf);
  const [over] = [...accepted.left, ...damaged.left];
  if (over) {
    const all = transfer.lines
      .filter(({ item_id: id }) => id === over.taken.item)
      .reduce((sum, line) => sum.plus(number(line.qty)), new Exact(0));
    unit.refuse([{ field: 'lines', message: `Only ${over.open} of ${plainQuantity(all)} are in transit.` }], 409);
  }
  await own.update('mr_transfer', transfer.id, { lines: lineChanges(damaged.lines, 'received_qty', 'damaged_qty') });
  const isOpen = damaged.lines.some((line) => !new Exact(openOf(line)).isZero());
  const step = !isOpen ? 'receive_all' : record.is_last === false ? 'receive_part' : 'differ';
  const reason = { reason: 'The last receipt closed the transfer.' };
  await own.takeAuto('mr_transfer', transfer.id, step, step === 'differ' ? reason : {});
  if (isNumber(transfer.indent_id)) await updateIndent({ unit, record } as Call, transfer.indent_id);
}

async function updateIndent({ unit, record }: Call, id: number): Promise<void> {
  const own = unit.elevated();
  const indent = await own.read('mr_indent', id, { lock: true });
  const lines = indent.lines as Row[];
  const came = (record.lines as Row[]).map((line) => ({
    item: Number(line.item_id),
    condition: String(line.condition),
    qty: number(line.accepted_qty),
  }));
  const found = addToLines(lines, came, 'received_qty', (line) =>
    new Exact(number(line.dispatched_qty)).minus(number(line.received_qty)).toString(),
  );
  await own.update('mr_indent', id, { lines: lineChanges(found.lines, 'received_qty') });
  const isAll = found.lines.every(
    (line) => !new Exact(number(line.received_qty)).lessThan(number(line.granted_qty ?? line.qty)),
  );
  await own.takeAuto('mr_indent', id, isAll ? 'supply' : 'supply_part');
  // Goods received for a request are reserved for it at once.
  await reserve(
    unit,
    found.matched.flatMap(({ place, taken, qty }) => {
      const line = lines[place]!;
      if (!isNumber(line.mr_line_id) || !isNumber(line.mr_id)) return [];
      return [
        {
          document: { type: 'mr', id: line.mr_id, line: line.mr_line_id },
          item: Number(line.item_id),
          condition: String(line.condition) as 'new',
          point: Number(record.stock_point_id),
          batch: ((record.lines as Row[])[taken]!.batch_id as number | null) ?? null,
          qty: new Exact(qty),
        },
      ];
    }),
  );
}

/** Updates the received quantities of an order, or takes them back. */
async function updateOrder({ unit, record }: Call, id: number, sign: 1 | -1): Promise<void> {
  const own = unit.elevated();
  const order = await own.read('purchase_order', id, { lock: true });
  const lines = order.lines as Row[];
  const came = (record.lines as Row[]).map((line) => ({ item: Number(line.item_id), qty: number(line.accepted_qty) }));
  if (sign > 0) {
    const found = addToLines(lines, came, 'received_qty', (line) =>
      new Exact(number(line.qty)).minus(number(line.received_qty)).toString(),
    );
    if (found.left[0])
      unit.refuse(
        [
          {
            field: 'lines',
            message: `Only ${found.left[0].open} of the order are still open. Receive more by a receipt without an order.`,
          },
        ],
        409,
      );
    await own.update('purchase_order', id, { lines: lineChanges(found.lines, 'received_qty') });
    const isAll = found.lines.every((line) => !new Exact(number(line.received_qty)).lessThan(number(line.qty)));
    await own.takeAuto('purchase_order', id, isAll ? 'receive_all' : 'receive_part');
    return;
  }
  const back = addToLines(
    lines.map((line) => ({ ...line, _back: '0' })),
    came,
    '_back',
    (line) => new Exact(number(line.received_qty)).minus(number(line._back)).toString(),
  );
  await own.update('purchase_order', id, {
    lines: lineChanges(
      back.lines.map((line) => ({
        ...line,
        received_qty: new Exact(number(line.received_qty)).minus(number(line._back)).toString(),
      })),
      'received_qty',
    ),
  });
}

/** Stores the cost of each serial number. */
async function rememberCost({ unit }: Call, { move }: Posted): Promise<void> {
  await unit.query(
    `update {stock_serial} s set landed_cost = l.value_delta from {stock_ledger} l where l.move_id = $1 and l.serial_id = s.id and l.adjusts_id is null and l.kind = 'in'`,
    [move],
  );
}
