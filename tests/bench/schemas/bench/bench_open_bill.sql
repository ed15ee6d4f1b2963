-- Bills that are open on a day: what they come to, less what had been received for them by then.
select b.id, b.id as bill_id, b.branch_id, b.make_id, ({:as_on} - b.due_on) as days_since, b.amount - coalesce(p.paid, 0) as outstanding
from {bench_bill} b
left join (
  select a.bill_id, sum(a.amount) as paid
  from {bench_receipt.allocations} a join {bench_receipt} r on r.id = a.parent_id
  where r.received_on <= {:as_on}
  group by a.bill_id
) p on p.bill_id = b.id
where b.billed_on <= {:as_on} and b.amount > coalesce(p.paid, 0)
