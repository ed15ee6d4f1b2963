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

/** Parts taken back from a disputed issue are open again in their request. */
export const issueCorrected: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const back = rowsOf(record).filter(({ wrong_qty: qty }) => Number(qty ?? 0) > 0);
    await count(unit, { ...record, lines: back.map((row) => ({ ...row, qty: row.wrong_qty })) }, -1);
    await unit.elevated().update('mr_issue', record.id, {
      lines: {
        set: Object.fromEntries(
          back.map(({ id, back_qty: before, wrong_qty: qty }) => [
            id,
            {
              back_qty: new Exact(String(before ?? 0)).plus(String(qty)).toString(),
              wrong_qty: '0',
              wrong_serial_ids: [],
            },
          ]),
        ),
      },
    });
  },
};

/** Counts issued parts at their requests. */
export const partsIssued: Effect = {
  elevated: true,
  apply: ({ unit, record }) => count(unit, record, 1),
  reverse: ({ unit, record }) => count(unit, record, -1),
};
