import type { Fill } from '../../../engine/modules.ts';

/** The team of the lift's route. */
export const routeTeam: Fill = {
  async run({ unit, record }) {
    const [found] = await unit.query<{ team_id: number | null }>(
      `select r.team_id from {lift} l join {building} b on b.id = l.building_id join {route_mstr} r on r.id = b.route_id where l.id = $1`,
      [record.lift_id ?? null],
    );
    return { team_id: found?.team_id ?? null };
  },
};
