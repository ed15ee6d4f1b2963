-- What customers deducted at source or retained on receipts that count, and how far certificates and money have come.
select d.id, r.id as receipt_id, r.customer_id, r.branch_id, d.billing_id, d.deduction_id, case when d.returns_later then 'retention' else d.kind end as kind, r.value_on as deducted_on,
  case when extract(month from r.value_on) >= 4
    then extract(year from r.value_on) || '-' || (extract(year from r.value_on) + 1)
    else (extract(year from r.value_on) - 1) || '-' || extract(year from r.value_on) end as financial_year,
  'Q' || case when extract(month from r.value_on) >= 10 then 3 when extract(month from r.value_on) >= 7 then 2
    when extract(month from r.value_on) >= 4 then 1 else 4 end as quarter,
  d.base, d.rate, d.amount, d.certificate_no, d.certificate_amount,
  case when d.returns_later then case when d.returned_on is null then 'retained' else 'returned' end
    when not coalesce(d.certificate_needed, true) then 'not_needed'
    when d.certificate_no is null then 'awaited' when d.certificate_amount is null then 'received'
    when d.certificate_amount >= d.amount then 'matched' else 'short' end as certificate_state
from {receipt.deductions} d
join {receipt} r on r.id = d.parent_id
where r.status in ('approved', 'deposited', 'cleared') and (d.kind in ('tds', 'gst_tds') or d.returns_later)
