import type { Fill } from '../../../engine/modules.ts';

/** The leader of the ticket's team. */
export const leader: Fill = {
  async run({ unit, record }) {
    const [team] = await unit.query<{ leader_id: number | null }>('select leader_id from {team} where id = $1', [
      record.team_id ?? null,
    ]);
    return { leader_id: team?.leader_id ?? null };
  },
};
