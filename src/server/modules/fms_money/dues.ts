/**
 * Statements over money documents, in which `{billing}` stands for the table of a type. `$1` is the company, `$2` the
 * day: documents dated on or before it count, receipts once they are approved, bounced ones until they bounced (C16).
 * All of them are posted or approved now; cancelled ones never count.
 */

const BILLS = `from {billing} b where b.entity_id = $1`;
const NOTES = `from {billing} n where n.entity_id = $1 and n.bill_kind = 'credit_note' and n.status = 'posted' and n.bill_date <= $2::date`;

/**
 * Bills with their outstanding amount on the day, `dues`, and the unused amounts of receipts and of credit notes by
 * customer, `advances`: common table expressions. Proformas and credit notes are not dues. `customer`: the placeholder
 * of the one customer whose documents are read.
 */
export function duesOf(customer: string | null): string {
  const of = (alias: string) => (customer === null ? '' : ` and ${alias}.customer_id = ${customer}`);
  // The note of a bill settles it, whatever customer the note names.
  const ofBill =
    customer === null ? '' : ` and n.original_bill_id in (select b.id ${BILLS} and b.customer_id = ${customer})`;
  return `receipts as not materialized (select r.* from {receipt} r where r.entity_id = $1 and r.value_on <= $2::date
  and (r.status in ('approved', 'deposited', 'cleared') or (r.status in ('bounced', 'reversed') and r.bounced_on > $2::date))${of('r')}),
uses as (select u.* from {advance_use} u where u.entity_id = $1 and u.used_on <= $2::date
  and (u.status = 'booked' or (u.status = 'undone' and u.undone_on > $2::date))${of('u')}),
settled as (
  select s.billing_id, sum(s.cash) as cash, sum(s.tds) as tds, sum(s.other) as other, sum(s.notes) as notes from (
    select a.billing_id, a.cash, 0 as tds, 0 as other, 0 as notes from {receipt.allocations} a join receipts r on r.id = a.parent_id
    union all
    select d.billing_id, 0, case when d.kind in ('tds', 'gst_tds') then d.amount else 0 end,
      case when d.kind in ('tds', 'gst_tds') then 0 else d.amount end, 0
    from {receipt.deductions} d join receipts r on r.id = d.parent_id
    union all
    select b.billing_id, b.cash, 0, 0, 0 from {advance_use.bills} b join uses u on u.id = b.parent_id
    union all
    select n.original_bill_id, 0, 0, 0, n.applied ${NOTES}${ofBill}
  ) s group by 1),
dues as (
  select b.id, b.bill_no, b.bill_date, coalesce(b.due_on, b.bill_date) as due_on, b.customer_id, b.building_id, b.contract_id, b.branch_id,
    b.grand_total as total, coalesce(s.cash, 0) as cash, coalesce(s.tds, 0) as tds, coalesce(s.other, 0) as other,
    coalesce(s.notes, 0) as notes,
    b.grand_total - coalesce(s.cash, 0) - coalesce(s.tds, 0) - coalesce(s.other, 0) - coalesce(s.notes, 0) as outstanding
  from {billing} b left join settled s on s.billing_id = b.id
  where b.entity_id = $1 and b.active and b.status = 'posted' and b.bill_kind in ('tax_invoice', 'bill_of_supply', 'debit_note')
    and b.bill_date <= $2::date${of('b')}),
advances as (
  select a.customer_id, sum(a.amount) as amount from (
    select r.customer_id, r.unallocated as amount from receipts r
    union all
    select n.customer_id, n.grand_total - n.applied ${NOTES}${of('n')}
    union all
    select u.customer_id, -u.total from uses u
  ) a group by 1)`;
}

/** An entry in a customer's account: charges are positive, payments and credits negative. */
export interface AccountEntry {
  on: string;
  customer_id: number;
  what: string;
  document: string | null;
  amount: string;
}

/**
 * All account entries in order; `$1` is the company, `$2` the last day, `$3` a customer. A bounced receipt appears on
 * its own day and, reversed, on the day on which it bounced.
 */
export const ACCOUNT = `select e."on"::text, e.customer_id, e.what, e.document, e.amount::text from (
  select b.bill_date as "on", b.customer_id, b.bill_kind as what, b.bill_no as document,
    case when b.bill_kind = 'credit_note' then -b.grand_total else b.grand_total end as amount, b.id, 1 as place
  from {billing} b where b.entity_id = $1 and b.status = 'posted' and b.bill_kind <> 'proforma'
  union all
  select r.value_on, r.customer_id, 'receipt', r.receipt_no, -r.amount, r.id, 2 from {receipt} r
  where r.entity_id = $1 and r.status in ('approved', 'deposited', 'cleared', 'bounced', 'reversed')
  union all
  select r.value_on, r.customer_id, 'deduction', r.receipt_no, -r.deducted, r.id, 3 from {receipt} r
  where r.entity_id = $1 and r.status in ('approved', 'deposited', 'cleared', 'bounced', 'reversed') and r.deducted <> 0
  union all
  select r.bounced_on, r.customer_id, r.status, r.receipt_no, r.amount + r.deducted, r.id, 4 from {receipt} r
  where r.entity_id = $1 and r.status in ('bounced', 'reversed')
) e where e."on" <= $2::date and ($3::bigint is null or e.customer_id = $3) order by e."on", e.place, e.id`;
