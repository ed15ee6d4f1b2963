import { tallyVouchers } from '../../../domain/fms/tally.ts';
import type { TallyRow } from '../../../domain/fms/tally.ts';
import { inColumns, withoutLedger } from '../../../domain/fms/vouchers.ts';
import type { VoucherPart } from '../../../domain/fms/vouchers.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { AppError } from '../../db/errors.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { rowsOf } from '../../engine/reports/statement_rows.ts';

const COMPONENTS = ['cgst', 'sgst', 'igst', 'cess'] as const;

/** The tax rate of a line on the day of its bill, of a credit note on the day of the original. */
const RATE_OF_LINE = `left join {fmsservice} f on f.id = l.service_id left join {item_mstr} i on i.id = l.item_id
  left join {billing} o on o.id = b.original_bill_id
  left join lateral (select h.tax_id from {hs_code.rates} h where h.parent_id = coalesce(i.hs_code_id, f.hs_code_id)
    and h.valid_from <= coalesce(o.bill_date, b.bill_date) order by h.valid_from desc limit 1) h on true
  left join {tax} x on x.id = h.tax_id
  left join lateral (select t.* from {tax_rate} t where t.tax_id = h.tax_id and t.active and t.valid_from <= coalesce(o.bill_date, b.bill_date)
    and coalesce(t.valid_to, 'infinity') >= coalesce(o.bill_date, b.bill_date) order by t.valid_from desc limit 1) t on true`;

const tax = (name: (typeof COMPONENTS)[number]): string => {
  const ledger =
    name === 'sgst' ? `case when b.supply = 'intra_ut' then t.utgst_ledger else t.sgst_ledger end` : `t.${name}_ledger`;
  return `select b.id, b.kind, ${ledger}, 'tax rate ' || coalesce(x.name, l.tax_label, '?') || ' (${name.toUpperCase()})', -b.sign * l.${name}
    from bills b join {billing.lines} l on l.parent_id = b.id ${RATE_OF_LINE} where not coalesce(b.reverse_charge, false) and l.${name} <> 0`;
};

/** Where the money of a receipt is until it is paid in: the account, or what its channel keeps. */
const IN_HAND = `case when r.bank_id is not null then k.ledger_code else coalesce(p.ledger_code, s.in_hand_ledger) end`;
const IN_HAND_OF = `case when r.bank_id is not null then 'bank account ' || k.name else 'ledger codes: cash and cheques in hand' end`;

/** Where the money of a security is, unless it is on an account. */
const BANK_OF_SECURITY = `case when m.bank_id is not null then k.ledger_code else s.in_hand_ledger end`;
const OWNER_OF_SECURITY = `case when m.bank_id is not null then 'bank account ' || k.name else 'ledger codes: cash and cheques in hand' end`;

/**
 * Bills, notes, receipts, bounced receipts with the bank's charge, pay-in slips and securities of a period as vouchers with the ledger codes of the
 * masters; refused with the list of those that have none.
 */
const accountingVouchers: ReportSource = {
  reads: {
    billing: ['bill_no', 'bill_date', 'lines', 'grand_total', 'round_off'],
    receipt: ['receipt_no', 'value_on', 'amount', 'deductions', 'bounced_on'],
    deposit: ['deposit_no', 'deposit_on', 'slips', 'amount', 'returned', 'forfeited'],
    customer_dtl: ['name'],
    fmsservice: ['ledger_code'],
    item_mstr: [],
    hs_code: [],
    tax: [],
    tax_rate: ['cgst_ledger', 'sgst_ledger', 'igst_ledger'],
    deduction: ['ledger_code'],
    bank_mstr: ['ledger_code'],
    payment_received_mstr: ['ledger_code'],
    fms_ledgers: [],
  },
  async rows({ session, parameters, scoped }) {
    const values = new SqlParams();
    const company = values.bind(session.entityId);
    const [from, to] = [`${values.bind(parameters.from)}::date`, `${values.bind(parameters.to)}::date`];
    const branch = (alias: string) =>
      (parameters.branch_id ?? null) === null ? [] : [`${alias}.branch_id = ${values.bind(parameters.branch_id)}`];
    const of = (type: string, alias: string) =>
      [`${alias}.entity_id = ${company}`, `${alias}.active`, ...scoped(type, alias, values), ...branch(alias)].join(
        ' and ',
      );
    const chosen = (parameters.kind ?? null) === null ? '' : `where v.kind = ${values.bind(parameters.kind)}`;
    const parts = await rowsOf<VoucherPart & ReportRow>(
      { session },
      `with s as (select x.* from (select 1) one left join lateral (select * from {fms_ledgers} order by id limit 1) x on true),
         bills as (select b.*, case when b.bill_kind = 'credit_note' then 'credit_note' else 'bill' end as kind,
             case when b.bill_kind = 'credit_note' then -1 else 1 end as sign
           from {billing} b where ${of('billing', 'b')} and b.status = 'posted' and b.bill_kind <> 'proforma' and b.bill_date between ${from} and ${to}),
         money as (
           select r.*, 'receipt' as kind, 1 as sign, r.value_on as day from {receipt} r where ${of('receipt', 'r')}
             and r.status in ('approved', 'deposited', 'cleared', 'bounced', 'reversed') and r.value_on between ${from} and ${to}
           union all
           select r.*, 'bounced', -1, r.bounced_on from {receipt} r where ${of('receipt', 'r')}
             and r.status in ('bounced', 'reversed') and r.bounced_on between ${from} and ${to}),
         slips as (select d.id, d.deposit_no, d.deposit_on, d.bank_id, p.receipt_id, p.amount from {deposit} d join {deposit.slips} p on p.parent_id = d.id
           where ${of('deposit', 'd')} and d.deposit_kind = 'pay_in' and d.status in ('deposited', 'closed') and d.deposit_on between ${from} and ${to}),
         securities as (select d.* from {deposit} d where ${of('deposit', 'd')} and d.deposit_kind <> 'pay_in' and d.instrument <> 'guarantee'
           and d.status in ('lodged', 'part_returned', 'returned', 'forfeited')),
         moves as (select row_number() over (order by x.day, x.deposit_no, x.amount) as id, x.* from (
             select d.id as deposit_id, d.deposit_no, d.customer_id, d.bank_id, d.deposit_kind = 'security_taken' as taken, false as forfeited, d.deposit_on as day, d.amount from securities d
             union all
             select d.id, d.deposit_no, d.customer_id, d.bank_id, d.deposit_kind = 'security_taken', false, r."on", -r.amount from securities d join {deposit.returned} r on r.parent_id = d.id
             union all
             select d.id, d.deposit_no, d.customer_id, d.bank_id, d.deposit_kind = 'security_taken', true, d.forfeited_on, -d.forfeited from securities d where d.forfeited > 0) x
           where x.day between ${from} and ${to}),
         parts(id, kind, ledger, owner, amount) as (
           select b.id, b.kind, s.receivables_ledger, 'ledger codes: customers', b.sign * b.grand_total from bills b cross join s
           union all
           select b.id, b.kind, f.ledger_code, 'service ' || coalesce(f.name, '?'), -b.sign * l.taxable
             from bills b join {billing.lines} l on l.parent_id = b.id left join {fmsservice} f on f.id = l.service_id
           union all ${COMPONENTS.map(tax).join(' union all ')}
           union all
           select b.id, b.kind, s.round_off_ledger, 'ledger codes: round-off', -b.sign * b.round_off from bills b cross join s where b.round_off <> 0
           union all
           select r.id, r.kind, case when r.kind = 'bounced' and d.id is not null then e.ledger_code else ${IN_HAND} end,
             case when r.kind = 'bounced' and d.id is not null then 'bank account ' || e.name else ${IN_HAND_OF} end, r.sign * r.amount
             from money r cross join s left join {bank_mstr} k on k.id = r.bank_id left join {payment_received_mstr} p on p.id = r.received_through_id
             left join {deposit} d on d.id = r.deposit_id left join {bank_mstr} e on e.id = d.bank_id
           union all
           select r.id, r.kind, s.bank_charges_ledger, 'ledger codes: bank charges', r.bank_charge from money r cross join s where r.kind = 'bounced' and r.bank_charge > 0
           union all
           select r.id, r.kind, case when d.id is not null then e.ledger_code else ${IN_HAND} end, case when d.id is not null then 'bank account ' || e.name else ${IN_HAND_OF} end, -r.bank_charge
             from money r cross join s left join {bank_mstr} k on k.id = r.bank_id left join {payment_received_mstr} p on p.id = r.received_through_id
             left join {deposit} d on d.id = r.deposit_id left join {bank_mstr} e on e.id = d.bank_id where r.kind = 'bounced' and r.bank_charge > 0
           union all
           select m.id, 'security', case when m.taken then s.securities_taken_ledger else s.securities_given_ledger end,
             'ledger codes: securities ' || case when m.taken then 'taken' else 'given' end, case when m.taken then -m.amount else m.amount end from moves m cross join s
           union all
           select m.id, 'security', case when m.forfeited then s.forfeited_ledger else ${BANK_OF_SECURITY} end,
             case when m.forfeited then 'ledger codes: securities forfeited' else ${OWNER_OF_SECURITY} end, case when m.taken then m.amount else -m.amount end
             from moves m cross join s left join {bank_mstr} k on k.id = m.bank_id
           union all
           select r.id, r.kind, n.ledger_code, 'deduction ' || n.name, r.sign * q.amount
             from money r join {receipt.deductions} q on q.parent_id = r.id join {deduction} n on n.id = q.deduction_id
           union all
           select r.id, r.kind, s.receivables_ledger, 'ledger codes: customers', -r.sign * (r.amount + coalesce(r.deducted, 0)) from money r cross join s
           union all
           select c.id, 'pay_in', k.ledger_code, 'bank account ' || k.name, c.amount from slips c join {bank_mstr} k on k.id = c.bank_id
           union all
           select c.id, 'pay_in', ${IN_HAND}, ${IN_HAND_OF}, -c.amount from slips c cross join s join {receipt} r on r.id = c.receipt_id
             left join {bank_mstr} k on k.id = r.bank_id left join {payment_received_mstr} p on p.id = r.received_through_id),
         headed as (
           select 'b' || b.id as key, b.bill_no as voucher, b.bill_date as day, b.customer_id, '/billing/view/' || b.id as address, b.kind, b.id from bills b
           union all
           select r.kind || r.id, r.receipt_no, r.day, r.customer_id, '/receipt/receipt_view/' || r.id, r.kind, r.id from money r
           union all
           select distinct 'd' || c.id, c.deposit_no, c.deposit_on, null::bigint, '/deposits/view/' || c.id, 'pay_in', c.id from slips c
           union all
           select 's' || m.id, m.deposit_no, m.day, m.customer_id, '/deposits/view/' || m.deposit_id, 'security', m.id from moves m),
         v as (select h.day, h.voucher, h.address, h.customer_id, p.kind, p.ledger, p.owner, sum(p.amount) as amount
           from parts p join headed h on h.kind = p.kind and h.id = p.id group by 1, 2, 3, 4, 5, 6, 7 having sum(p.amount) <> 0)
         select v.day::text as day, v.kind, coalesce(v.voucher, '–') as voucher, v.address as voucher__to, v.customer_id,
           c.name as customer_id__label, v.ledger, v.owner, v.amount::text as amount
         from v left join {customer_dtl} c on c.id = v.customer_id ${chosen}
         order by v.day, v.kind, v.voucher, v.amount < 0, v.ledger`,
      values,
    );
    const missing = withoutLedger(parts);
    if (missing !== null) throw new AppError(422, 'validation', missing);
    return { rows: inColumns(parts), note: 'Debits and credits of every voucher are equal.' };
  },
  xml: {
    title: 'Tally XML',
    write: (rows) =>
      tallyVouchers(
        (rows as unknown as (TallyRow & { customer_id__label: string | null })[]).map((row) => ({
          ...row,
          narration: row.customer_id__label,
        })),
      ),
  },
};

export default accountingVouchers;
