-- The plan of bills; what fell due is on a posted bill with GST to the paisa; most bills are paid, with TDS, some late, some in part, some not.
create temp table instalment on commit drop as
  select (select coalesce(max(id), 0) from {billing_schedule}) + row_number() over (order by a.id, q, l.id) as id, a.id as contract_id, q, l.id as line_id, l.lift_id, l.net / 4 as amount,
    (a.start_on + make_interval(months => 3 * q))::date as period_from, (a.start_on + make_interval(months => 3 * q + 3) - interval '1 day')::date as period_to
  from agreement a join line l on l.contract_id = a.id cross join generate_series(0, 3) q;
create temp table bill on commit drop as
  select (select coalesce(max(id), 0) from {billing}) + row_number() over (order by i.period_from, i.contract_id) as id, i.contract_id, i.q, i.period_from, i.period_from - 10 as bill_on,
    sum(i.amount) as taxable, sum(round(i.amount * 9 / 100, 2)) as half
  from instalment i where i.period_from - 10 < (select today from size) group by i.contract_id, i.q, i.period_from;
-- Whether and when a bill was paid: one in 25 is not, one in 16 in part.
create temp table due on commit drop as
  select b.*, a.building_id, a.customer_id, a.branch_id, a.gstin, a.state_id, a.tds_id, a.house, round(b.taxable + 2 * b.half) as total,
    b.bill_on + 30 + (b.id * 7919 % 70)::int - 15 as paid_on, b.id * 31 % 25 = 0 as unpaid, b.id * 17 % 16 = 0 as partly
  from bill b join agreement a on a.id = b.contract_id;
create temp table payment on commit drop as
  select (select coalesce(max(id), 0) from {receipt}) + row_number() over (order by d.paid_on, d.id) as id, d.id as bill_id, d.customer_id, d.branch_id, d.paid_on, d.total, d.taxable, d.bill_on,
    case when d.tds_id is not null and not d.partly then d.tds_id end as tds_id, case when d.tds_id is not null and not d.partly then round(d.taxable * 2 / 100) else 0 end as tds,
    case when d.partly then round(d.total / 2) else d.total end as settled, case when d.id * 13 % 50 = 0 then 500 else 0 end as advance
  from due d where not d.unpaid and d.paid_on < (select today from size);
analyze instalment;
analyze bill;
analyze due;
analyze payment;
insert into {billing_schedule} (id, entity_id, contract_id, contract_line_id, customer_id, building_id, branch_id, lift_id, service_id, contract_year, seq_no, period_from, period_to, bill_on, amount, bill_as, status, billing_id)
  overriding system value
  select i.id, z.company, i.contract_id, i.line_id, a.customer_id, a.building_id, a.branch_id, i.lift_id, m.service_id, 1, i.q + 1, i.period_from, i.period_to, i.period_from - 10, i.amount, 'tax_invoice',
    case when b.id is null then 'planned' else 'billed' end, b.id
  from instalment i join agreement a on a.id = i.contract_id left join bill b on b.contract_id = i.contract_id and b.q = i.q cross join size z
  cross join (select service_id from {amc_type_mstr} where code = 'COMP') m;
insert into {billing} (id, entity_id, bill_no, bill_kind, bill_date, customer_id, building_id, branch_id, contract_id, payment_term_id, due_on, supplier_gstin, registration, series, customer_name,
    customer_address, place_of_supply_id, supply, taxable_total, cgst_total, sgst_total, igst_total, cess_total, tax_total, round_off, grand_total, paid, deducted, outstanding, left_to_use, deduct_note, status)
  overriding system value
  select d.id, z.company, 'HST/' || f.fy || '/' || lpad((row_number() over (partition by d.gstin, f.fy order by d.bill_on, d.id))::text, 5, '0'), 'tax_invoice', d.bill_on, d.customer_id, d.building_id,
    d.branch_id, d.contract_id, (select id from {payment_term_mstr} where code = 'N30'), d.bill_on + 30, d.gstin, d.gstin, 'HST/' || f.fy, c.name, c.billing_address, d.state_id, 'intra_state', d.taxable, d.half, d.half, 0, 0, 2 * d.half,
    d.total - d.taxable - 2 * d.half, d.total, coalesce(p.settled - p.tds, 0), coalesce(p.tds, 0), d.total - coalesce(p.settled, 0), 0,
    case when d.tds_id is not null then 'TDS under section 194C is deducted on the value before GST.' end, 'posted'
  from due d join {customer_dtl} c on c.id = d.customer_id left join payment p on p.bill_id = d.id cross join size z cross join lateral (select pg_temp.fy(d.bill_on) as fy) f;
insert into {billing.lines} (parent_id, position, service_id, sac, lift_id, description, period_from, period_to, qty, rate, discount, taxable, cgst_rate, sgst_rate, igst_rate, cess_rate, cgst, sgst, igst, cess, billing_schedule_id)
  select b.id, row_number() over (partition by b.id order by i.id) - 1, m.service_id, '998718', i.lift_id, 'Lift maintenance contract', i.period_from, i.period_to, 1, i.amount, 0, i.amount, 9, 9, 0, 0,
    round(i.amount * 9 / 100, 2), round(i.amount * 9 / 100, 2), 0, 0, i.id
  from instalment i join bill b on b.contract_id = i.contract_id and b.q = i.q cross join (select service_id from {amc_type_mstr} where code = 'COMP') m;
insert into {billing.tax_summary} (parent_id, position, sac, taxable, cgst_rate, cgst, sgst_rate, sgst, igst_rate, igst, cess)
  select id, 0, '998718', taxable, 9, half, 9, half, 0, 0, 0 from bill;
insert into {receipt} (id, entity_id, receipt_no, receipt_on, customer_id, branch_id, receipt_mode_id, amount, instrument_no, instrument_on, family, needs_bank, needs_number, needs_date, must_deposit,
    allocated, unallocated, deducted, other_deducted, value_on, advance_rate, advance_tax, advance_taxable, used, advance_left, approved_on, cleared_on, status)
  overriding system value
  select p.id, z.company, 'RCH/' || f.fy || '/' || lpad((row_number() over (partition by f.fy order by p.paid_on, p.id))::text, 5, '0'), p.paid_on, p.customer_id, p.branch_id, m.id,
    p.settled - p.tds + p.advance, 'N' || lpad(p.id::text, 10, '0'), p.paid_on, 'transfer', false, true, true, false, p.settled - p.tds, p.advance, p.tds, 0, p.paid_on, 18,
    round(p.advance * 18 / 118.0, 2), p.advance - round(p.advance * 18 / 118.0, 2), 0, p.advance, p.paid_on, p.paid_on, 'cleared'
  from payment p cross join size z cross join (select id from {receipt_mode_mstr} where code = 'NEFT') m cross join lateral (select pg_temp.fy(p.paid_on) as fy) f;
insert into {receipt.allocations} (parent_id, position, billing_id, due_on, outstanding, cash, deducted, "left")
  select id, 0, bill_id, bill_on + 30, total, settled - tds, tds, total - settled from payment;
insert into {receipt.deductions} (parent_id, position, deduction_id, kind, billing_id, base, rate, amount)
  select id, 0, tds_id, 'tds', bill_id, taxable, 2, tds from payment where tds > 0;
