-- One row for each document of which something is still to arrive; the last digit of the id is its kind.
with lines_open as (
  select 'order' as expected_as, o.id as document_id, l.item_id, l.due_on
  from {purchase_order.lines} l
  join {purchase_order} o on o.id = l.parent_id
  where o.state in ('sent', 'part_received') and l.qty > l.received_qty
  union all
  select 'transfer', t.id, l.item_id, t.expected_on
  from {mr_transfer.lines} l
  join {mr_transfer} t on t.id = l.parent_id
  where t.state in ('dispatched', 'part_received') and t.kind in ('indent', 'lateral') and l.open_qty > 0
  union all
  select 'indent', i.id, l.item_id, i.needed_by
  from {mr_indent.lines} l
  join {mr_indent} i on i.id = l.parent_id
  where i.state in ('approved', 'part_supplied') and l.granted_qty > l.dispatched_qty
  union all
  -- A part is out for repair while the repairer holds it and its receipts do not account for it.
  select 'repair', t.id, l.item_id, t.expected_on
  from {mr_transfer.lines} l
  join {mr_transfer} t on t.id = l.parent_id
  where t.state = 'received' and t.kind = 'repair'
    and exists (
      select 1 from {stock_balance} b
      where b.stock_point_id = t.to_stock_point_id and b.item_id = l.item_id and b.on_hand > 0
    )
    and l.qty > (
      select coalesce(sum(r.received_qty), 0) from {grn.lines} r
      join {grn} g on g.id = r.parent_id
      where g.repair_id = t.id and g.state = 'posted' and r.item_id = l.item_id
    )
  union all
  select 'repaired_part', m.id, l.item_id, null
  from {mr_receipt.lines} l
  join {mr_receipt} m on m.id = l.parent_id
  where m.state = 'inspected' and l.line_end = 'under_repair'
  union all
  select 'old_part', d.id, d.item_id, d.due_on
  from {mr_return_due} d
  where d.state in ('due', 'handed_over')
),
documents as (
  select expected_as, document_id, count(*)::int as open_lines, min(due_on) as due_on,
    string_agg(distinct i.name, ', ' order by i.name) as items
  from lines_open o
  join {item_mstr} i on i.id = o.item_id
  group by expected_as, document_id
),
-- Old parts go to the store that fills the technician's kit.
kits as (
  select distinct on (employee_id) employee_id, supply_from_id
  from {stock_point} k
  where kind = 'technician' and supply_from_id is not null
  order by employee_id, id
)
select d.document_id * 10 + case d.expected_as
    when 'order' then 1 when 'transfer' then 2 when 'indent' then 3 when 'repair' then 4 when 'old_part' then 5
    else 6 end as id,
  case d.expected_as when 'repaired_part' then 'repair' else d.expected_as end as expected_as,
  coalesce(o.po_no, t.transfer_no, n.indent_no, m.receipt_no, c.consumption_no, d.items) as document,
  case
    when o.id is not null then v.name
    when e.id is not null then e.name
    when m.id is not null then (
      select string_agg(distinct w.name, ', ') from {mr_receipt.lines} l
      join {stock_point} w on w.id = l.repair_point_id
      where l.parent_id = m.id and l.line_end = 'under_repair'
    )
    when d.expected_as = 'repair' then tp.name
    else p.name
  end as from_whom,
  coalesce(o.ship_to_stock_point_id, case d.expected_as when 'repair' then t.from_stock_point_id
    else t.to_stock_point_id end, n.for_stock_point_id, m.to_stock_point_id, k.supply_from_id) as stock_point_id,
  left(d.items, 300) as items,
  d.open_lines,
  d.due_on,
  nullif(greatest({:today} - d.due_on, 0), 0) as days_late,
  case d.expected_as
    when 'indent' then false
    when 'repaired_part' then false
    when 'old_part' then exists (
      select 1 from {mr_receipt.lines} l join {mr_receipt} b on b.id = l.parent_id
      where b.state = 'draft' and l.return_due_id = d.document_id
    )
    else exists (
      select 1 from {grn} g where g.state in ('draft', 'inspected') and case d.expected_as
        when 'order' then g.po_id when 'transfer' then g.transfer_id else g.repair_id end = d.document_id
    )
  end as in_receipt,
  o.id as po_id,
  t.id as transfer_id,
  case d.expected_as when 'transfer' then t.id end as moving_id,
  case d.expected_as when 'repair' then t.id end as repair_id,
  n.id as indent_id,
  r.id as due_id,
  m.id as receipt_id,
  r.technician_id
from documents d
left join {purchase_order} o on d.expected_as = 'order' and o.id = d.document_id
left join {vendor_mstr} v on v.id = o.vendor_id
left join {mr_transfer} t on d.expected_as in ('transfer', 'repair') and t.id = d.document_id
left join {mr_indent} n on d.expected_as = 'indent' and n.id = d.document_id
left join {mr_return_due} r on d.expected_as = 'old_part' and r.id = d.document_id
left join {mr_consumption} c on c.id = r.mr_consumption_id
left join {mr_receipt} m on d.expected_as = 'repaired_part' and m.id = d.document_id
left join {employee} e on e.id = r.technician_id
left join kits k on k.employee_id = r.technician_id
left join {stock_point} p on p.id = coalesce(t.from_stock_point_id, n.from_stock_point_id)
left join {stock_point} tp on tp.id = t.to_stock_point_id
