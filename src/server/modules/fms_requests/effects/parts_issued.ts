import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { addToOrders } from '../open_lines.ts';
import { addToRows, rowsOf, sumByRow } from '../request_lines.ts';

type Row = Record<string, unknown>;

/** Adds the issued quantity (below 0: a reversal) to the request and to its cover notes and orders. */
async function count(unit: Unit, record: Row, sign: 1 | -1): Promise<void> {
  if (typeof record.mr_id !== 'number') return;
  const issued = rowsOf(record).flatMap(({ mr_line: line, qty }) =>
    typeof line === 'number' ? [{ row: line, qty: new Exact(String(qty)).times(sign).toString() }] : [],
  );
  await addToOrders(
    unit,
    issued.map(({ row, qty }) => ({ line: row, column: 'issued_qty' as const, qty })),
  );
  await addToRows(unit, 'mr', record.mr_id, sumByRow(issued, 'issued_qty'), (row) => {
    const now = new Exact(String(row.issued_qty));
    const isAll = now.greaterThanOrEqualTo(String(row.approved_qty ?? row.qty));
    const reserved = new Exact(String(row.reserved_qty ?? 0)).minus(issued.find((one) => one.row === row.id)?.qty ?? 0);
    // An emergency issue precedes the approvals: the line still needs a decision.
    const isDecided = ['released', 'planned', 'ready', 'issued'].includes(String(row.line_status));
    return {
      reserved_qty: sign > 0 ? Exact.max(0, reserved).toString() : (row.reserved_qty ?? '0'),
      ...(isDecided && { line_status: isAll ? 'issued' : sign > 0 ? row.line_status : 'released' }),
    };
  });
}

/** Counts issued parts at their requests. */
export const partsIssued: Effect = {
  elevated: true,
  apply: ({ unit, record }) => count(unit, record, 1),
  reverse: ({ unit, record }) => count(unit, record, -1),
};
