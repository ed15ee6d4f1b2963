import { existingTables } from '../../../db/existing_tables.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** Open visits of lifts follow to the building, branch and route of the lift. @param states of the visits that follow */
async function follow(unit: Unit, where: string, of: unknown, states: readonly string[]): Promise<void> {
  const visits = await unit.query<{ id: number; building_id: number; branch_id: number; route_id: number | null }>(
    `select v.id, b.id as building_id, b.branch_id, b.route_id
     from {scheduled_ticket} v join {lift} f on f.id = v.lift_id join {building} b on b.id = f.building_id
     where ${where} and v.status = any($2::text[])
       and (v.building_id, v.branch_id, v.route_id) is distinct from (b.id, b.branch_id, b.route_id) order by v.id`,
    [of, states],
  );
  for (const { id, ...place } of visits) await unit.update('scheduled_ticket', id, place);
}

/** Open visits follow their lift to its building, branch and route. */
export const liftMoved: Subscriber = {
  async run({ event, unit }) {
    const { lifts } = event.payload as { lifts: number[] };
    await follow(unit, 'v.lift_id = any($1::bigint[])', lifts, ['planned', 'released']);
  },
};

/** Visits that are not released follow their building to another route; released ones stay with their team. */
export const buildingMoved: Subscriber = {
  async run({ event, unit }) {
    const { db, schema } = unit.session.tenant;
    if (!(await existingTables(db, schema)).has('scheduled_ticket')) return;
    await follow(unit, 'f.building_id = $1::bigint', event.of!.id, ['planned']);
  },
};
