import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { indianDay } from '../stock/lookups.ts';
import { dayOfMoment, lockMonths, zoneOfCompany } from '../stock/posting_time.ts';

/** Other months of the company that must be closed or open first. */
async function monthBeside(unit: Unit, month: string, which: 'open before' | 'closed behind'): Promise<string | null> {
  const [row] = await unit.query<{ day: string }>(
    which === 'open before'
      ? `select month_end::text as day from {stock_period} where entity_id = $1 and active and state = 'open' and month_end < $2 order by month_end limit 1`
      : `select month_end::text as day from {stock_period} where entity_id = $1 and active and state = 'closed' and month_end > $2 order by month_end desc limit 1`,
    [unit.session.entityId, month],
  );
  return row?.day ?? null;
}

/**
 * Closes a month in order, when no document in it waits to be posted, and stores quantities and values (5.7) as the
 * starting point of later reports.
 */
export const closeMonth: Effect = {
  elevated: true,
  async apply({ unit, record }): Promise<void> {
    const month = String(record.month_end);
    const company = unit.session.entityId;
    await lockMonths(unit, 'close');
    if (month >= dayOfMoment(unit, unit.now))
      unit.refuse([{ field: 'month_end', message: `The month ends on ${indianDay(month)}. Close it after that day.` }]);
    const open = await monthBeside(unit, month, 'open before');
    if (open !== null)
      unit.refuse(
        [
          {
            field: 'month_end',
            message: `The month that ends on ${indianDay(open)} is still open. Close months in order.`,
          },
        ],
        409,
      );
    const from = `${month.slice(0, 8)}01`;
    for (const [type, title, day, states] of WAITING) {
      const [row] = await unit.query<{ n: number }>(
        `select count(*)::int as n from {${type}} where entity_id = $1 and active and ${day}::date between $2::date and $3::date and state = any($4::text[])`,
        [company, from, month, states],
      );
      if (row!.n > 0)
        unit.refuse(
          [
            {
              field: 'month_end',
              message: `${row!.n} ${title}${row!.n === 1 ? ' is' : 's are'} dated in this month and not posted. Post or cancel them first.`,
            },
          ],
          409,
        );
    }
    const end = `(($2::date + 1)::timestamp at time zone $3)`;
    const values = [company, month, zoneOfCompany(unit)];
    await unit.query(
      `insert into {stock_closing} (entity_id, month_end, item_id, condition, stock_point_id, batch_id, qty)
       select $1, $2::date, item_id, condition, stock_point_id, batch_id, sum(qty) from {stock_ledger}
       where entity_id = $1 and stock_point_id is not null and posting_at < ${end}
       group by item_id, condition, stock_point_id, batch_id having sum(qty) <> 0`,
      values,
    );
    await unit.query(
      `insert into {value_closing} (entity_id, month_end, item_id, condition, qty, value)
       select $1, $2::date, item_id, condition, sum(case when kind = 'move' then 0 else qty end), sum(value_delta) from {stock_ledger}
       where entity_id = $1 and valued and posting_at < ${end} group by item_id, condition having sum(case when kind = 'move' then 0 else qty end) <> 0`,
      values,
    );
  },
};

/** Documents waiting to be posted in a month: type, title, day, and the states in which they wait. */
const WAITING: readonly [string, string, string, string[]][] = [
  ['stock_adjustment', 'stock adjustment', 'adjusted_on', ['draft', 'submitted', 'approved']],
  ['grn', 'goods receipt', 'grn_date', ['draft', 'inspected']],
  ['stock_count', 'stock count', 'counted_at', ['counting', 'counted', 'recount', 'approved']],
];

/** Reopens the last closed month and deletes its snapshot. */
export const reopenMonth: Effect = {
  elevated: true,
  async apply({ unit, record }): Promise<void> {
    const month = String(record.month_end);
    await lockMonths(unit, 'close');
    const later = await monthBeside(unit, month, 'closed behind');
    if (later !== null)
      unit.refuse(
        [
          {
            field: 'month_end',
            message: `The month that ends on ${indianDay(later)} is closed. Open the last closed month first.`,
          },
        ],
        409,
      );
    for (const type of ['stock_closing', 'value_closing'])
      await unit.query(`delete from {${type}} where entity_id = $1 and month_end = $2`, [unit.session.entityId, month]);
  },
};
