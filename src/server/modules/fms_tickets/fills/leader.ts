import type { Fill } from '../../../engine/modules.ts';

/** Who leads the team that has the ticket. */
export const leader: Fill = {
  async run({ unit, record }) {
    const [team] = await unit.query<{ leader_id: number | null }>('select leader_id from {team} where id = $1', [
      record.team_id ?? null,
    ]);
    return { leader_id: team?.leader_id ?? null };
  },
};
