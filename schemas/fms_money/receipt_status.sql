-- Receipts with the days between being entered, approved, paid in and cleared.
select r.id, r.id as receipt_id, r.receipt_on, r.customer_id, r.receipt_mode_id, r.branch_id, k.customer_group_id, r.collected_by_id, r.status as state, r.amount,
  r.deducted - r.other_deducted as tds, r.other_deducted as other, r.allocated, r.unallocated as advance,
  r.approved_on - r.receipt_on as days_to_approve,
  d.deposit_on - r.approved_on as days_to_deposit,
  r.cleared_on - coalesce(d.deposit_on, r.approved_on) as days_to_clear
from {receipt} r
left join {deposit} d on d.id = r.deposit_id
left join {customer_dtl} k on k.id = r.customer_id
