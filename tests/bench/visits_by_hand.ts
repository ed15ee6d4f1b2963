/** A list in which a field is seen of some records only, by a condition over the record and over who made it. */
export const visitsByHand = `
  select t.*, r0.name as branch_id__label, r1.name as customer_id__label
  from (select id, version, active, created_at, created_by, updated_at, updated_by, entity_id, number, branch_id, customer_id,
      status, case when status = 'active' or created_by = $1 then amount end as amount, qty, start_date
    from "cmp_demo".bench_visit where entity_id = 1 and active order by start_date desc, id desc limit 20) t
  left join "cmp_demo".branch r0 on r0.id = t.branch_id
  left join "cmp_demo".bench_customer r1 on r1.id = t.customer_id
  order by t.start_date desc, t.id desc`;
