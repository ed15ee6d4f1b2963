import type { Unit } from '../../engine/records/unit.ts';

/**
 * Counts the days without a holder of seats, as `vacantDays` does for one. `$1` is the day. They are no change of the
 * seat, so its history does not have them.
 */
export async function countVacantDays(unit: Unit, which: string, [day, ...values]: readonly unknown[]): Promise<void> {
  await unit.query(
    `update {board_position} set vacant_days = case when holder_id is not null then 0
       when vacant_since is null then greatest(0, $1::date - sanctioned_on) else greatest(0, $1::date - vacant_since + 1) end
     where ${which}`,
    [day, ...values],
  );
}
