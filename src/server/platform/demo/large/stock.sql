-- Two hundred parts: received by the stores each month, sent to the kits of technicians, and used from them within the month.
create temp table part on commit drop as
  select n, (select coalesce(max(id), 0) from {item_mstr}) + n as id, 50 + n * 37 % 4000 as rate from generate_series(1::bigint, 200) n;
insert into {item_mstr} (id, item_code, name, item_category_id, item_class_id, item_type_id, hs_code_id, stock_uom_id, tracking) overriding system value
  select p.id, 'HST-' || lpad(p.n::text, 5, '0'), 'Part ' || p.n || ' of the history', i.item_category_id, i.item_class_id, i.item_type_id, i.hs_code_id, i.stock_uom_id, 'none'
  from part p cross join (select * from {item_mstr} where tracking = 'none' order by id limit 1) i;
create temp table kit on commit drop as
  select t.n, (select coalesce(max(id), 0) from {stock_point}) + t.n as id, t.id as technician_id, s.ids[1 + t.team % cardinality(s.ids)] as store_id
  from technician t cross join (select array_agg(p.id order by p.id) as ids from {stock_point} p cross join size z where p.kind = 'store' and p.entity_id = z.company) s;
insert into {stock_point} (id, entity_id, code, name, storage_location_id, kind, employee_id, keeper_id, supply_from_id) overriding system value
  select k.id, z.company, 'KITH-' || lpad(k.n::text, 4, '0'), 'Kit of ' || e.name, s.storage_location_id, 'technician', k.technician_id, s.keeper_id, k.store_id
  from kit k join {employee} e on e.id = k.technician_id join {stock_point} s on s.id = k.store_id cross join size z;
-- What a kit gets in a month: five parts, three to six pieces of each; two thirds of them are used.
create temp table supply on commit drop as
  select m.month_on, k.id as kit_id, k.store_id, p.id as item_id, p.rate, 3 + (k.n + p.n + m.no) % 4 as qty, 2 + (k.n + p.n) % 2 as used, m.no
  from size z cross join lateral (select no, (date_trunc('month', z.today) - make_interval(months => no))::date as month_on from generate_series(0, z.years * 12 - 1) no) m
  cross join kit k cross join generate_series(0, 4) j join part p on p.n = 1 + (k.n * 17 + m.no * 5 + j * 41) % 200;
create temp table movement on commit drop as
  select (select coalesce(max(id), 0) from {stock_move}) + row_number() over (order by day, step, store_id, kit_id) as id, x.*
  from (
    select 1 as step, 'receipt' as event, month_on + time '10:00' as day, store_id, null::bigint as kit_id, month_on from supply group by store_id, month_on
    union all select 2, 'issue', month_on + time '11:00', store_id, kit_id, month_on from supply group by store_id, kit_id, month_on
    union all select 3, 'consumption', month_on + interval '12 days 16 hours', store_id, kit_id, month_on from supply, size z where month_on + 12 < z.today group by store_id, kit_id, month_on
  ) x where day::date < (select today from size);
analyze supply;
analyze movement;
insert into {stock_move} (id, entity_id, posting_key, document_type, document_id, document_no, event, posting_at, recorded_at) overriding system value
  select m.id, z.company, 'history/' || m.id, case m.step when 1 then 'grn' when 2 then 'mr_issue' else 'mr_consumption' end, m.id::int, 'HST/' || lpad(m.id::text, 6, '0'), m.event, m.day at time zone z.zone, m.day at time zone z.zone
  from movement m cross join size z;
create temp table entry on commit drop as
  select m.id as move_id, s.item_id, m.store_id as point_id, sum(s.qty) as qty, 'in' as kind, sum(s.qty * s.rate) as value, m.day from movement m join supply s using (store_id, month_on) where m.step = 1 group by 1, 2, 3, 7
  union all select m.id, s.item_id, m.store_id, -s.qty, 'move', 0, m.day from movement m join supply s using (kit_id, month_on) where m.step = 2
  union all select m.id, s.item_id, m.kit_id, s.qty, 'move', 0, m.day from movement m join supply s using (kit_id, month_on) where m.step = 2
  union all select m.id, s.item_id, m.kit_id, -s.used, 'out', -s.used * s.rate, m.day from movement m join supply s using (kit_id, month_on) where m.step = 3;
insert into {stock_ledger} (entity_id, move_id, item_id, condition, stock_point_id, qty, kind, value_delta, posting_at, recorded_at)
  select z.company, e.move_id, e.item_id, 'new', e.point_id, e.qty, e.kind, e.value, e.day at time zone z.zone, e.day at time zone z.zone from entry e cross join size z order by e.day, e.move_id;
insert into {stock_balance} (entity_id, item_id, condition, stock_point_id, on_hand, reserved, last_moved_at)
  select z.company, item_id, 'new', point_id, sum(qty), 0, max(day at time zone z.zone) from entry cross join size z group by 1, 2, 4;
insert into {stock_value} (entity_id, item_id, condition, qty, value, last_rate)
  select z.company, e.item_id, 'new', sum(e.qty), sum(e.value), max(p.rate) from entry e join part p on p.id = e.item_id cross join size z group by 1, 2;
