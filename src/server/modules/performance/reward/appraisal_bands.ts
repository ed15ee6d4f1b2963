import type { Unit } from '../../../engine/records/unit.ts';
import { usualSchemeSql } from '../usual_scheme.ts';

/** What a member's rating pays; decimals as text. */
export interface PaidBand {
  employee_id: number;
  /** The points by which slabs are looked up. */
  points: string;
  /** Factor of the payout. */
  multiplier: string;
}

/** The ratings of members that were released for periods that end within a year up to a day, the latest of each. */
export async function paidBands(unit: Unit, last: string): Promise<Map<number, PaidBand>> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{appraisal}') is not null as there`);
  if (!known!.there) return new Map();
  const rows = await unit.query<PaidBand>(
    `select distinct on (a.employee_id) a.employee_id, b.grade_points::text as points,
       coalesce(b.incentive_multiplier, 1)::text as multiplier
     from {appraisal} a join {appraisal_period} p on p.id = a.period_id
     join {performance_rating.bands} b on b.code = a.band_code and b.parent_id = coalesce(a.rating_scheme_id, ${usualSchemeSql('{performance_rating}')})
     where a.entity_id = $1 and a.active and a.status in ('released', 'acknowledged', 'closed')
       and p.ends_on <= $2::date and p.ends_on > $2::date - interval '1 year'
     order by a.employee_id, p.ends_on desc`,
    [unit.session.entityId, last],
  );
  return new Map(rows.map((row) => [row.employee_id, row]));
}
