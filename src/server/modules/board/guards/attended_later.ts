import { formatDate } from '../../../../descriptor/format.ts';
import type { Guard } from '../../../engine/modules.ts';

/** A term does not end before a meeting that the person attended. */
export const attendedLater: Guard = {
  elevated: true,
  async check({ unit: asked, record }) {
    const [last] = await asked.elevated().query<{ name: string; held_on: string }>(
      `select m.name, g.held_on::text from {board_meeting.attendance} a join {board_meeting} g on g.id = a.parent_id
       join {board_member} m on m.id = a.board_member_id
       where g.unit_id = $1 and a.board_member_id = $2 and a.presence in ('in_person', 'video') and g.active
         and g.state in ('held', 'minuted', 'entered') and g.held_on > $3::date order by g.held_on desc limit 1`,
      [record.unit_id, record.board_member_id, record.ended_on],
    );
    if (!last) return [];
    return [
      {
        field: 'ended_on',
        message: `${last.name} attended on ${formatDate(last.held_on)}. End on or after that date, or correct the attendance.`,
      },
    ];
  },
};
