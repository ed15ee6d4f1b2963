import { Exact } from '../../../../descriptor/exact.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Call, Effect } from '../../../engine/modules.ts';
import { lentAmong } from '../open_lines.ts';
import { rowsOf, setRows } from '../request_lines.ts';

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

/** Makes the customer's order from an accepted quotation, with the amounts of its bill. */
export const makeOrder: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const parts = rowsOf(record).filter(({ mr_line: line }) => typeof line === 'number');
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
