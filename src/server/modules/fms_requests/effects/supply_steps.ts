import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import { notifyReady } from '../notify_ready.ts';
import { rowsOf, setRows } from '../request_lines.ts';
import { indentOthers, planOf } from '../supply.ts';
import { takeBackIndents } from '../withdraw.ts';

/** Plans released lines: reserve from the own store, indent from other stores, buy the rest. */
export const planSupply: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const released = rowsOf(record).filter(({ line_status: status }) => status === 'released');
    const plans = await planOf(unit, record, released);
    await indentOthers(unit, record, plans);
    await setRows(
      unit,
      'mr',
      record.id,
      new Map(
        plans.map(({ line, reserve, order }) => [
          line,
          { to_reserve_qty: reserve, to_order_qty: order, line_status: 'planned' },
        ]),
      ),
    );
  },
};

/** Updates the reserved quantity of each line; a fully reserved line is ready for collection. */
export const partsReserved: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const rows = rowsOf(record).filter(({ to_reserve_qty: qty }) => Number(qty) > 0);
    const ready: number[] = [];
    await setRows(
      unit,
      'mr',
      record.id,
      new Map(
        rows.map((row) => {
          const reserved = new Exact(String(row.reserved_qty ?? 0)).plus(String(row.to_reserve_qty));
          const isAll = reserved
            .plus(String(row.issued_qty ?? 0))
            .greaterThanOrEqualTo(String(row.approved_qty ?? row.qty));
          if (isAll && row.line_status !== 'ready') ready.push(row.id);
          return [
            row.id,
            { to_reserve_qty: '0', reserved_qty: reserved.toString(), line_status: isAll ? 'ready' : 'planned' },
          ];
        }),
      ),
    );
    await notifyReady(unit, record.id, ready);
  },
};

/** Clears the reserved quantity of lines that are not supplied. */
export const partsFreed: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const rows = rowsOf(record).filter(({ line_status: status }) =>
      ['to_quote', 'refused', 'short_closed'].includes(String(status)),
    );
    await setRows(
      unit,
      'mr',
      record.id,
      new Map(rows.map(({ id }) => [id, { reserved_qty: '0', to_reserve_qty: '0' }])),
    );
  },
};

/**
 * Closes the lines marked as not needed, or all that were not issued; their cover notes and orders no longer count as
 * open.
 */
export const shortClose: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = rowsOf(record).filter(({ line_status: status }) =>
      ['requested', 'to_quote', 'quoted', 'released', 'planned', 'ready'].includes(String(status)),
    );
    const marked = all.filter(({ not_needed: isMarked }) => isMarked === true);
    const open = marked.length > 0 ? marked : all;
    await takeBackIndents(
      unit,
      open.map(({ id }) => id),
    );
    const orders = await unit.query<{ order: number; row: number; left: string }>(
      `select l.parent_id as order, l.id as row, (l.qty - l.issued_qty)::text as left from {mr_contract.lines} l
       join {mr_contract} c on c.id = l.parent_id where c.mr_id = $1 and l.mr_line = any($2::bigint[])`,
      [record.id, open.map(({ id }) => id)],
    );
    for (const { order, row, left } of orders)
      await setRows(unit, 'mr_contract', Number(order), new Map([[Number(row), { short_qty: left }]]));
    await setRows(
      unit,
      'mr',
      record.id,
      new Map(
        open.map(({ id, issued_qty: issued }) => [id, { line_status: Number(issued) > 0 ? 'issued' : 'short_closed' }]),
      ),
    );
  },
};
