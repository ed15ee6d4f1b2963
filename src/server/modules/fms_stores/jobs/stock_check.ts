import type { Job } from '../../../engine/modules.ts';

/** A difference as one line: which sum, of what, and both figures. */
interface Difference {
  what: string;
  of: string;
  ledger: string;
  stored: string;
}

/** The invariants of the stock (fms_stores.md 5.19): sums of the ledger, balances, values, reservations and serial numbers. */
const CHECKS = [
  `select 'quantity' as what, concat_ws(' ', i.item_code, x.condition, p.code) as of, x.ledger::text, x.stored::text from (
     select coalesce(l.item_id, b.item_id) as item, coalesce(l.condition, b.condition) as condition, coalesce(l.stock_point_id, b.stock_point_id) as point, coalesce(l.qty, 0) as ledger, coalesce(b.on_hand, 0) as stored
     from (select item_id, condition, stock_point_id, coalesce(batch_id, 0) as batch, sum(qty) as qty from {stock_ledger} where entity_id = $1 and stock_point_id is not null group by 1, 2, 3, 4) l
     full join (select item_id, condition, stock_point_id, coalesce(batch_id, 0) as batch, on_hand from {stock_balance} where entity_id = $1) b
       on b.item_id = l.item_id and b.condition = l.condition and b.stock_point_id = l.stock_point_id and b.batch = l.batch) x
   join {item_mstr} i on i.id = x.item join {stock_point} p on p.id = x.point where x.ledger <> x.stored`,
  `select 'value' as what, concat_ws(' ', i.item_code, v.condition) as of, coalesce(l.value, 0)::text as ledger, v.value::text as stored
   from {stock_value} v join {item_mstr} i on i.id = v.item_id
   left join (select item_id, condition, sum(value_delta) as value, sum(case when kind = 'move' then 0 else qty end) as qty from {stock_ledger} where entity_id = $1 and valued group by 1, 2) l on l.item_id = v.item_id and l.condition = v.condition
   where v.entity_id = $1 and (coalesce(l.value, 0) <> v.value or coalesce(l.qty, 0) <> v.qty)`,
  `select 'reserved' as what, concat_ws(' ', i.item_code, b.condition, p.code) as of, coalesce(r.qty, 0)::text as ledger, b.reserved::text as stored
   from {stock_balance} b join {item_mstr} i on i.id = b.item_id join {stock_point} p on p.id = b.stock_point_id
   left join (select item_id, condition, stock_point_id, coalesce(batch_id, 0) as batch, sum(qty - consumed_qty) as qty from {stock_reservation} where entity_id = $1 and state = 'active' group by 1, 2, 3, 4) r
     on r.item_id = b.item_id and r.condition = b.condition and r.stock_point_id = b.stock_point_id and r.batch = coalesce(b.batch_id, 0)
   where b.entity_id = $1 and coalesce(r.qty, 0) <> b.reserved`,
  `select 'serial numbers' as what, concat_ws(' ', i.item_code, b.condition, p.code) as of, coalesce(s.n, 0)::text as ledger, b.on_hand::text as stored
   from (select item_id, condition, stock_point_id, sum(on_hand) as on_hand from {stock_balance} where entity_id = $1 group by 1, 2, 3) b
   join {item_mstr} i on i.id = b.item_id and i.tracking = 'serial' join {stock_point} p on p.id = b.stock_point_id
   left join (select item_id, condition, stock_point_id, count(*) as n from {stock_serial} where entity_id = $1 and stock_point_id is not null group by 1, 2, 3) s
     on s.item_id = b.item_id and s.condition = b.condition and s.stock_point_id = b.stock_point_id
   where coalesce(s.n, 0) <> b.on_hand`,
];

/**
 * Every night, compares the sums of the ledger with balances, values, reservations and serial numbers. Nothing is
 * repaired silently.
 */
export const stockCheck: Job = {
  concernsPlatform: true,
  async run({ company, each }) {
    const found: Difference[] = [];
    await each(
      (_unit, after) => Promise.resolve(CHECKS.slice(Number(after ?? 0), Number(after ?? 0) + 1)),
      async (unit, [check]) => {
        found.push(...(await unit.query<Difference>(check!, [company])));
        return CHECKS.indexOf(check!) + 1;
      },
      () => Promise.resolve(CHECKS.length),
    );
    if (found.length === 0) return 'The ledger equals balances, values and reservations.';
    const some = found
      .slice(0, 10)
      .map(({ what, of, ledger, stored }) => `${what} of ${of}: ${ledger} by the ledger, ${stored} stored`);
    throw new Error(`${found.length} figures of the stock differ: ${some.join('; ')}.`);
  },
};
