import type { Unit } from '../../engine/records/unit.ts';
import { sendingOf } from './fills/bill_sending.ts';
import { factsOf } from './fills/bill_tax.ts';
import type { Grouping } from './policies.ts';

type Row = Record<string, unknown>;

/** A planned bill that is due, with the data that decides which bill includes it. */
export interface DueRow {
  id: number;
  contract_id: number | null;
  contract_no: string | null;
  customer_id: number;
  customer: string;
  building_id: number | null;
  branch_id: number;
  lift_id: number | null;
  lift_no: string | null;
  service_id: number;
  service: string;
  state_id: number | null;
  place: 'building' | 'recipient';
  payment_term_id: number | null;
  own_grouping: Grouping;
  period_from: string;
  period_to: string;
  amount: string;
  bill_as: string;
  order_no: string | null;
  bill_kind: 'tax_invoice' | 'bill_of_supply' | 'proforma';
}

/** Selects planned bills. */
export interface Due {
  until?: string | null;
  from?: string | null;
  branch?: number | null;
  ids?: readonly number[];
  customers?: readonly number[];
}

/** The planned bills that are due, sorted by customer and day. */
export function dueRows(unit: Unit, { until, from, branch, ids, customers }: Due): Promise<DueRow[]> {
  return unit.query<DueRow>(
    `select s.id, s.contract_id, c.contract_no, s.customer_id, k.name as customer, s.building_id, s.branch_id, s.lift_id, l.lift_no,
       s.service_id, v.name as service, g.state_id, coalesce(v.place_of_supply, 'building') as place, coalesce(c.payment_term_id, k.payment_term_id) as payment_term_id,
       coalesce(c.bill_grouping, k.bill_grouping) as own_grouping, s.period_from::text, s.period_to::text, s.amount::text, s.bill_as, s.order_no,
       case when coalesce(b.gstin, e.gstin) is null then 'bill_of_supply' else s.bill_as end as bill_kind
     from {billing_schedule} s
     left join {contract} c on c.id = s.contract_id
     join {customer_dtl} k on k.id = s.customer_id
     join {fmsservice} v on v.id = s.service_id
     join {branch} b on b.id = s.branch_id
     join {entity} e on e.id = s.entity_id
     left join {building} g on g.id = s.building_id
     left join {lift} l on l.id = s.lift_id
     where s.active and s.entity_id = $1 and s.status = 'planned' and (c.id is null or c.status in ('active', 'expired', 'renewed'))
       and ($2::date is null or s.bill_on <= $2::date) and ($3::date is null or s.bill_on >= $3::date)
       and ($4::bigint is null or s.branch_id = $4) and ($5::bigint[] is null or s.id = any($5::bigint[]))
       and ($6::bigint[] is null or s.customer_id = any($6::bigint[]))
     order by s.customer_id, s.period_from, s.id`,
    [unit.session.entityId, until ?? null, from ?? null, branch ?? null, ids ?? null, customers ?? null],
  );
}

/** The key of a bill: one payer, branch, place of supply, term and kind, and the customer's own grouping. */
function groupKey(row: DueRow, grouping: Grouping): string {
  const apart = { contract: `c${row.contract_id}`, building: `b${row.building_id}`, customer: '' }[grouping];
  const place = row.place === 'recipient' ? 'recipient' : String(row.state_id);
  return [row.customer_id, row.branch_id, place, row.payment_term_id, row.bill_kind, row.order_no, apart].join('/');
}

/** Groups rows into bills, in the order of the rows. `grouping` `own`: as each customer has set. */
export function grouped(rows: readonly DueRow[], grouping: Grouping | 'own' = 'own'): DueRow[][] {
  const groups = new Map<string, DueRow[]>();
  for (const row of rows) {
    const key = groupKey(row, grouping === 'own' ? row.own_grouping : grouping);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** The values of the draft of one group of planned bills. */
function draftOf(rows: readonly DueRow[], billDate: string): Row {
  const [first] = rows as [DueRow];
  const same = <T>(of: (row: DueRow) => T): T | null => (rows.every((row) => of(row) === of(first)) ? of(first) : null);
  const lines: Row[] = rows.map((row) => ({
    service_id: row.service_id,
    lift_id: row.lift_id,
    description: [row.service, row.lift_no, row.contract_no]
      .filter((one) => one !== null)
      .join(', ')
      .slice(0, 250),
    period_from: row.period_from,
    period_to: row.period_to,
    qty: '1',
    rate: row.amount,
    billing_schedule_id: row.id,
  }));
  return {
    bill_kind: first.bill_kind,
    bill_date: billDate,
    customer_id: first.customer_id,
    building_id: same(({ building_id: id }) => id) ?? first.building_id,
    branch_id: first.branch_id,
    contract_id: same(({ contract_id: id }) => id),
    payment_term_id: first.payment_term_id,
    order_no: first.order_no,
    lines,
  };
}

/**
 * Drafts bills for groups of planned bills; `dayOf` gives the day of each. Shared data is read once.
 * @returns their ids
 */
export async function draftBills(
  unit: Unit,
  groups: readonly (readonly DueRow[])[],
  dayOf: (first: DueRow) => string,
): Promise<number[]> {
  const drafts = groups.map((rows) => draftOf(rows, dayOf(rows[0]!)));
  await factsOf(unit, drafts);
  await sendingOf(unit, drafts);
  const made: number[] = [];
  for (const draft of drafts) made.push((await unit.create('billing', draft)).id);
  return made;
}
