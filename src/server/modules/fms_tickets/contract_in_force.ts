import type { Unit } from '../../engine/records/unit.ts';

/** The contract line that covers a lift on a day. */
export interface CoverOfLift {
  contract_line_id: number;
  contract_id: number;
  contract_no: string | null;
  contract_kind: string;
  held: boolean;
  amc_type_id: number;
  coverage: string;
}

/** The latest line that covered a lift on a day, whatever its state is now; null = none. */
export async function contractOn(unit: Unit, liftId: unknown, day: string): Promise<CoverOfLift | null> {
  const [found] = await unit.query<CoverOfLift>(
    `select l.id as contract_line_id, c.id as contract_id, c.contract_no, coalesce(l.cover_kind, c.contract_kind) as contract_kind,
       (l.line_status = 'held' or c.status = 'held') as held, l.amc_type_id, a.coverage
     from {contract_line} l join {contract} c on c.id = l.contract_id join {amc_type_mstr} a on a.id = l.amc_type_id
     where l.lift_id = $1 and l.entity_id = $3 and l.line_status not in ('draft', 'cancelled')
       and l.from_on <= $2::date and coalesce(l.closes_on, l.to_on) >= $2::date
     order by (coalesce(l.cover_kind, c.contract_kind) = 'operations'), l.from_on desc, l.id desc limit 1`,
    [liftId ?? null, day, unit.session.entityId],
  );
  return found ?? null;
}
