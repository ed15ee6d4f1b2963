import type { Unit } from '../../engine/records/unit.ts';

/** The contract that decides the cover of a lift's parts. Days are YYYY-MM-DD, amounts decimals as text. */
export interface LiftContract {
  id: number;
  no: string;
  from: string;
  to: string;
  isSuspended: boolean;
  /** Whether it covers the lift on the day. */
  inForce: boolean;
  amcType: number | null;
  /** Limit of free parts per contract year; null = no limit. */
  limit: string | null;
  /** The customer's share of free parts, in percent. */
  share: string | null;
  /** Its AMC type includes consumables. */
  consumables: boolean;
  /** First day of the contract year. */
  yearFrom: string;
}

/** The contract in force for a lift on a day, otherwise the last one that ended before; null = it never had one. */
export async function contractOfLift(unit: Unit, lift: number, day: string): Promise<LiftContract | null> {
  const [row] = await unit.query<{
    id: number;
    no: string;
    from: string;
    to: string;
    suspended: boolean;
    amc: number | null;
    limit: string | null;
    share: string | null;
    consumables: boolean;
    year_from: string;
  }>(
    `select c.id, coalesce(c.contract_no, '') as no, l.from_on::text as from, coalesce(l.closes_on, l.to_on)::text as to,
       c.status = 'held' or l.line_status = 'held' as suspended, coalesce(l.amc_type_id, c.amc_type_id) as amc,
       coalesce(c.parts_limit, a.parts_limit) as limit, coalesce(c.parts_share, a.parts_share) as share, coalesce(a.consumables, false) as consumables,
       (c.start_on + (extract(year from age($2::date, c.start_on)) || ' years')::interval)::date::text as year_from
     from {contract_line} l join {contract} c on c.id = l.contract_id
     left join {amc_type_mstr} a on a.id = coalesce(l.amc_type_id, c.amc_type_id)
     where l.lift_id = $1 and l.active and c.active and c.status not in ('draft', 'submitted', 'approved', 'cancelled')
       and l.line_status not in ('draft', 'cancelled', 'moved') and l.cover_kind <> 'warranty' and l.from_on <= $2::date
     order by coalesce(l.closes_on, l.to_on) >= $2::date desc, coalesce(l.closes_on, l.to_on) desc, l.id desc limit 1`,
    [lift, day],
  );
  if (!row) return null;
  return {
    id: row.id,
    no: row.no,
    from: row.from,
    to: row.to,
    isSuspended: row.suspended,
    inForce: !row.suspended && row.to >= day,
    amcType: row.amc,
    limit: row.limit,
    share: row.share,
    consumables: row.consumables,
    yearFrom: row.year_from,
  };
}
