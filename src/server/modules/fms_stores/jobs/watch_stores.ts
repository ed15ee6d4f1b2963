import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { indianDay, storesSetting } from '../stock/lookups.ts';
import { dayOfMoment } from '../stock/posting_time.ts';
import type { Concern } from './concern.ts';
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

/** Whether the client has begun to use these types: only then are there tables to look at. */
async function areInUse(unit: Unit, types: readonly string[]): Promise<boolean> {
  const [row] = await unit.query<{ all: boolean }>(
    `select ${types.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  return row!.all;
}

/** @returns how many people were notified */
async function notifyOf(unit: Unit, company: number | null, concern: Concern): Promise<number> {
  const { event, link, employees, users = [], values } = concern;
  const accounts = await unit.query<{ id: number }>(
    `select id from {users} where active and status = 'active' and (employee_id = any($1::bigint[]) or id = any($2::bigint[]))`,
    [employees.filter((id) => id !== null), users.filter((id) => id !== null)],
  );
  const to = accounts.map(({ id }) => id);
  if (to.length > 0) await unit.notify({ event, to, entityId: company, link, values });
  return to.length;
}

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
    `select t.id, t.transfer_no as no, f.code as from, r.code as to, f.keeper_id as sender, r.keeper_id as receiver, $2::date - t.transfer_date as days
     from {mr_transfer} t join {stock_point} f on f.id = t.from_stock_point_id join {stock_point} r on r.id = t.to_stock_point_id
     where t.entity_id = $1 and t.active and t.state in ('dispatched', 'part_received', 'differing', 'loss_submitted')
       and ($2::date - t.transfer_date > $3 or (t.state in ('differing', 'loss_submitted') and t.updated_at <= $4::timestamptz - make_interval(days => $5))) order by t.id limit 100`,
    [company, today, days, unit.now.toISOString(), RESOLVE_WITHIN_DAYS],
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

/**
 * People who leave or have left and still hold parts, or owe old ones: for their manager, the keeper of their kit, and HR.
 */
async function leavers(unit: Unit, company: number | null): Promise<Concern[]> {
  const dues = (await areInUse(unit, ['mr_return_due']))
    ? `(select coalesce(sum(d.qty - d.received_qty), 0)::int from {mr_return_due} d where d.entity_id = p.entity_id and d.technician_id = e.id and d.state in ('due', 'handed_over'))`
    : '0';
  const rows = await unit.query<{
    id: number;
    name: string;
    state: string;
    manager: number | null;
    keeper: number | null;
    items: number;
    dues: number;
  }>(
    `select * from (
       select e.id, e.name, e.status as state, e.reporting_to_id as manager, coalesce(s.keeper_id, p.keeper_id) as keeper,
         (select count(distinct b.item_id)::int from {stock_balance} b where b.stock_point_id = p.id and b.on_hand > 0) as items, ${dues} as dues
       from {stock_point} p join {employee} e on e.id = p.employee_id left join {stock_point} s on s.id = p.supply_from_id
       where p.entity_id = $1 and p.active and p.kind = 'technician' and e.status in ('on_notice', 'left')) x
     where items > 0 or dues > 0 order by id`,
    [company],
  );
  if (rows.length === 0) return [];
  const hr = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
     where u.active and c.entity_id = $1 and r.template_code = 'HR'`,
    [company],
  );
  return rows.map(({ id, name, state, manager, keeper, items, dues: due }) => ({
    event: 'stores.leaver_holds_parts',
    link: `/reports/fms_stores/technician_kit?technician_id=${id}`,
    employees: [manager, keeper],
    users: hr.map((one) => Number(one.id)),
    values: {
      person: name,
      has: state === 'left' ? 'has left' : 'is leaving',
      items: String(items),
      dues: String(due),
    },
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
  [['stock_balance'], leavers],
  [['stock_period'], openMonths],
];
