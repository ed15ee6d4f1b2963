select f.id, f.id as filing_id, f.form_id, f.unit_id, f.category, f.board_designation_id, f.branch_id, f.last_day, f.late_days,
  case when f.late_days <= 3 then '1_3' when f.late_days <= 7 then '4_7' when f.late_days <= 15 then '8_15' else 'over_15' end as age_band,
  case f.status when 'under_review' then 'reviewer' when 'ready' then 'filer' else 'preparer' end as waits_for,
  case f.status when 'under_review' then f.reviewer_id when 'ready' then f.filer_id else f.preparer_id end as person_id,
  f.exposure, case when f.late_days >= 7 then 3 when f.late_days >= 3 then 2 else 1 end as level
from {filing} f
where f.overdue
