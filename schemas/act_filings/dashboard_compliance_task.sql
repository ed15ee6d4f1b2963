select f.id, f.id as filing_id, f.form_id, f.unit_id, f.category, f.board_designation_id, f.branch_id, f.last_day, f.late_days,
  case when f.late_days <= 3 then '1_3' when f.late_days <= 7 then '4_7' when f.late_days <= 15 then '8_15' else 'over_15' end as age_band,
  case f.status when 'under_review' then 'reviewer' when 'ready' then 'filer' else 'preparer' end as waits_for,
  case f.status when 'under_review' then f.reviewer_id when 'ready' then f.filer_id else f.preparer_id end as person_id,
  f.exposure, 
  (select b.level from {statutory_form} o join {slab.bands} b on b.parent_id = o.slab_id
   where o.id = f.form_id and b.from_value <= f.late_days order by b.from_value desc limit 1) as level
from {filing} f
where f.overdue
