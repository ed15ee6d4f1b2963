import { Exact } from '../../../../descriptor/exact.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Call, Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { lentAmong } from '../open_lines.ts';
import { rowsOf, setRows } from '../request_lines.ts';

type Row = Record<string, unknown>;

/** Lines of the request in a quotation. */
const requestLines = (quotation: WireRecord) =>
  rowsOf(quotation).flatMap(({ mr_line: line }) => (typeof line === 'number' ? [line] : []));

/** An effect that sets the state of the request lines in a quotation. */
const brings = (status: string): Effect => ({
  elevated: true,
  async apply({ unit, record }: Call) {
    await setRows(
      unit,
      'mr',
      Number(record.mr_id),
      new Map(requestLines(record).map((line) => [line, { line_status: status }])),
    );
  },
});

/** The quotation was sent to the customer. */
export const linesQuoted = brings('quoted');
/** The customer rejected the quotation. */
export const linesRefused = brings('refused');
/** A new quotation is being prepared. */
export const linesToQuote = brings('to_quote');

/**
 * The parts of a quotation with their lines of the request. A pack that was requested as one line becomes a line for each
 * of its cards: only cards can be reserved, issued and used.
 */
async function ownLines(unit: Unit, quotation: WireRecord): Promise<(Row & { mr_line: number })[]> {
  const parts = rowsOf(quotation).filter(
    (line): line is Row & { id: number; mr_line: number } => typeof line.mr_line === 'number',
  );
  const request = await unit.elevated().read('mr', Number(quotation.mr_id), { lock: true });
  const set: Record<number, Row> = {};
  const add: { part: Row & { mr_line: number }; row: Row }[] = [];
  for (const [line, cards] of Map.groupBy(parts, ({ mr_line: id }) => id)) {
    const kit = rowsOf(request).find(({ id }) => id === line);
    if (!kit || cards.every(({ item_id: item }) => item === kit.approved_item_id)) continue;
    for (const [at, part] of cards.entries()) {
      const row = {
        item_id: part.item_id,
        approved_item_id: part.item_id,
        qty: part.qty,
        approved_qty: part.qty,
        uom_id: part.uom_id,
        lift_position: part.lift_position ?? null,
        cover: kit.cover,
        cover_reason: 'Card of a pack that the customer ordered.',
      };
      if (at === 0) set[line] = row;
      else add.push({ part, row: { ...row, line_status: kit.line_status } });
    }
  }
  if (Object.keys(set).length === 0) return parts;
  const after = await unit
    .elevated()
    .update('mr', request.id, { lines: { set, ...(add.length > 0 && { add: add.map(({ row }) => row) }) } });
  const added = rowsOf(after).slice(rowsOf(after).length - add.length);
  return parts.map((part) => {
    const at = add.findIndex((one) => one.part === part);
    return at === -1 ? part : { ...part, mr_line: added[at]!.id };
  });
}

/** Makes the customer's order from an accepted quotation, with the amounts of its bill. */
export const makeOrder: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const parts = await ownLines(unit, record);
    if (parts.length === 0) unit.refuse([{ field: 'lines', message: 'This quotation offers no part of the request.' }]);
    const lent = await lentAmong(unit, requestLines(record));
    await unit.elevated().create('mr_contract', {
      kind: 'order',
      basis: 'customer_order',
      mr_id: record.mr_id,
      mr_quotation_id: record.id,
      customer_po_no: record.customer_po_no ?? null,
      po_file: record.acceptance_file ?? null,
      old_part: record.old_part ?? 'company',
      advance_percent: record.advance_percent ?? '0',
      exchange:
        record.format === 'card_pack'
          ? rowsOf(record, 'exchange').map(({ item_id, qty, credit_rate }) => ({ item_id, qty, credit_rate }))
          : [],
      lines: parts.map((line) => ({
        mr_line: line.mr_line,
        item_id: line.item_id,
        qty: line.qty,
        rate: new Exact(String(line.taxable)).dividedBy(String(line.qty)).toDecimalPlaces(2).toFixed(2),
        gst_rate: line.gst_rate,
        taxable: line.taxable,
        tax: new Exact(String(line.total)).minus(String(line.taxable)).toFixed(2),
        // A lent part was issued and is in use already.
        ...(lent.has(Number(line.mr_line)) && { issued_qty: line.qty, used_qty: line.qty }),
      })),
    });
    await setRows(
      unit,
      'mr',
      Number(record.mr_id),
      new Map([...lent].map((line) => [line, { cover: 'chargeable', line_status: 'used' }])),
    );
  },
};
