import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { indianDay, storesSetting } from '../stock/lookups.ts';
import { dayOfMoment, zoneOfCompany } from '../stock/posting_time.ts';
import type { Concern } from './concern.ts';
import { areInUse, notifyOf } from './concern.ts';
import { unnotifiedLeavers } from './leavers.ts';
import {
  disputedIssues,
  endingReservations,
  openIssues,
  overdueLoans,
  unansweredQuotations,
} from './request_concerns.ts';

/** The number of days after its end by which a month should be closed. */
const CLOSE_WITHIN_DAYS = 5;
/** The number of days within which the difference of a transfer should be resolved. */
const RESOLVE_WITHIN_DAYS = 3;
/** Names of items that a notice lists. */
const NAMED = 5;

/** In the morning: lists the problems of a company's stores (fms_stores.md 6), and notifies the people responsible. */
export const watchStores: Job = {
  async run({ company, each }) {
    let count = 0;
    await each(
      (unit, after) => Promise.resolve(after === undefined || after === null ? [dayOfMoment(unit, unit.now)] : []),
      async (unit, [today]) => {
        const concerns: Concern[] = [];
        for (const [types, find] of WATCHED)
          if (await areInUse(unit, types)) concerns.push(...(await find(unit, company, today!)));
        count = 0;
        for (const concern of concerns) count += await notifyOf(unit, company, concern);
        return today;
      },
    );
    return `${count} notifications sent.`;
  },
};

/** Stock points where the free quantity of items is below their minimum. */
async function belowMinimum(unit: Unit, company: number | null): Promise<Concern[]> {
  const rows = await unit.query<{ id: number; code: string; keeper: number | null; items: number; names: string[] }>(
    `select p.id, p.code, p.keeper_id as keeper, count(*)::int as items, array_agg(i.item_code order by i.item_code) as names
     from {stock_point} p join {stock_point.levels} l on l.parent_id = p.id and l.min_qty > 0 join {item_mstr} i on i.id = l.item_id
     where p.entity_id = $1 and p.active
       and coalesce((select sum(b.on_hand - b.reserved) from {stock_balance} b where b.stock_point_id = p.id and b.item_id = l.item_id and b.condition in ('new', 'refurbished')), 0) < l.min_qty
     group by p.id, p.code, p.keeper_id order by p.code`,
    [company],
  );
  return rows.map(({ code, keeper, items, names }) => ({
    event: 'stores.below_minimum',
    link: '/reports/fms_stores/reorder',
    employees: [keeper],
    values: {
      items: String(items),
      store: code,
      names: `${names.slice(0, NAMED).join(', ')}${items > NAMED ? ` and ${items - NAMED} more` : ''}`,
    },
  }));
}

/** Transfers in transit for more days than the settings allow, and differences that nobody has resolved. */
async function lateTransfers(unit: Unit, company: number | null, today: string): Promise<Concern[]> {
  const { transit_alert_days: days } = await storesSetting(unit);
  const rows = await unit.query<{
    id: number;
    no: string;
    from: string;
    to: string;
    sender: number | null;
    receiver: number | null;
    days: number;
  }>(
    `select t.id, t.transfer_no as no, f.code as from, r.code as to, f.keeper_id as sender, r.keeper_id as receiver, $2::date - (t.dispatched_at at time zone $6)::date as days
     from {mr_transfer} t join {stock_point} f on f.id = t.from_stock_point_id join {stock_point} r on r.id = t.to_stock_point_id
     where t.entity_id = $1 and t.active and t.state in ('dispatched', 'part_received', 'differing', 'loss_submitted')
       and ($2::date - (t.dispatched_at at time zone $6)::date > $3 or (t.state in ('differing', 'loss_submitted') and t.updated_at <= $4::timestamptz - make_interval(days => $5))) order by t.id limit 100`,
    [company, today, days, unit.now.toISOString(), RESOLVE_WITHIN_DAYS, zoneOfCompany(unit)],
  );
  return rows.map((row) => ({
    event: 'stores.transit_late',
    link: `/mr_transfer_view/${row.id}`,
    employees: [row.sender, row.receiver],
    values: { transfer: row.no, from: row.from, to: row.to, days: String(row.days) },
  }));
}

/** Stock points with batches that expire within the alert days of their shelf life. */
async function expiringBatches(unit: Unit, company: number | null, today: string): Promise<Concern[]> {
  const rows = await unit.query<{
    store: string;
    keeper: number | null;
    holder: number | null;
    batches: number;
    first: string;
    day: string;
  }>(
    `select p.code as store, p.keeper_id as keeper, p.employee_id as holder, count(distinct b.id)::int as batches,
       (array_agg(concat_ws(' ', i.item_code, b.batch_no) order by coalesce(b.extended_to, b.expires_on)))[1] as first, min(coalesce(b.extended_to, b.expires_on))::text as day
     from {stock_balance} s join {stock_batch} b on b.id = s.batch_id join {item_mstr} i on i.id = s.item_id join {shelf_life} l on l.id = i.shelf_life_id
       join {stock_point} p on p.id = s.stock_point_id
     where s.entity_id = $1 and s.on_hand > 0 and coalesce(b.extended_to, b.expires_on) between $2::date and $2::date + l.alert_days
     group by p.id, p.code, p.keeper_id, p.employee_id order by p.code`,
    [company, today],
  );
  return rows.map(({ store, keeper, holder, batches, first, day }) => ({
    event: 'stores.batches_expire',
    link: '/reports/fms_stores/expiry',
    employees: [keeper, holder],
    values: { store, batches: String(batches), first, day: indianDay(day) },
  }));
}

/** Months that ended some days ago and are still open: for whoever may close them. */
async function openMonths(unit: Unit, company: number | null, today: string): Promise<Concern[]> {
  const rows = await unit.query<{ day: string }>(
    `select month_end::text as day from {stock_period} where entity_id = $1 and active and state = 'open' and month_end < $2::date - $3::int order by month_end limit 1`,
    [company, today, CLOSE_WITHIN_DAYS],
  );
  if (rows.length === 0) return [];
  const users = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
       join {role_action} a on a.role_id = r.id and a.action_code = 'STOCK_PERIOD_CLOSE' where u.active and c.entity_id = $1`,
    [company],
  );
  return rows.map(({ day }) => ({
    event: 'stores.month_open',
    link: '/mr_stock_period',
    employees: [],
    users: users.map(({ id }) => Number(id)),
    values: { day: indianDay(day) },
  }));
}

/** The checks, and the types that each one reads. */
const WATCHED: readonly [string[], (unit: Unit, company: number | null, today: string) => Promise<Concern[]>][] = [
  [['stock_balance'], belowMinimum],
  [['mr_transfer', 'fms_stores_setting'], lateTransfers],
  [['stock_balance', 'stock_batch'], expiringBatches],
  [['mr_issue'], openIssues],
  [['mr_issue'], disputedIssues],
  [['mr_quotation', 'fms_stores_setting'], unansweredQuotations],
  [['mr'], overdueLoans],
  [['stock_reservation', 'mr'], endingReservations],
  [['stock_balance'], unnotifiedLeavers],
  [['stock_period'], openMonths],
];
