import type { Subscriber } from '../../../engine/modules.ts';
import { setMembers } from '../membership.ts';

/** The fields through which a member of the board has an account. */
const LINKS = ['user_id', 'employee_id'];

/** A member of the board gets an account, or loses it: access to the units follows at once. */
export const accountLinked: Subscriber = {
  async run({ event, unit }) {
    const { fields } = event.payload;
    if (!Array.isArray(fields) || !fields.some((name) => LINKS.includes(name as string))) return;
    const units = await unit.query<{ id: number }>(
      `select distinct s.unit_id as id from {board_tenure} t join {board_position} s on s.id = t.seat_id
       where t.state = 'active' and t.active and t.board_member_id = $1 order by 1`,
      [event.of!.id],
    );
    for (const { id } of units) await setMembers(unit, id);
  },
};
