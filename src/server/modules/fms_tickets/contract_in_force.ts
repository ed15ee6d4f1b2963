import type { Unit } from '../../engine/records/unit.ts';

/** The contract under which a lift stood on a day. */
export interface CoverOfLift {
  contract_id: number;
  contract_no: string | null;
  contract_kind: string;
  held: boolean;
  amc_type_id: number;
  coverage: string;
  start_on: string;
}

/** The line of a contract that held for a lift on a day, the latest of several; null = none. */
export async function contractOn(unit: Unit, liftId: unknown, day: string): Promise<CoverOfLift | null> {
  const [found] = await unit.query<CoverOfLift>(
    `select c.id as contract_id, c.contract_no, c.contract_kind, c.status = 'held' as held, l.amc_type_id, a.coverage, c.start_on::text
     from {contract.lines} l join {contract} c on c.id = l.parent_id join {amc_type_mstr} a on a.id = l.amc_type_id
     where l.lift_id = $1 and c.start_on <= $2::date and c.end_on >= $2::date and c.status in ('active', 'held', 'expired') and c.entity_id = $3
     order by c.start_on desc, c.id desc limit 1`,
    [liftId ?? null, day, unit.session.entityId],
  );
  return found ?? null;
}
