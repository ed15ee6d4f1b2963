import { formatDate } from '../../../../descriptor/format.ts';
import type { Call, Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { settleActions } from '../meeting_actions.ts';
import { presencesOf } from '../meeting_presence.ts';

/** The members of a meeting's unit, with their accounts. */
function membersOf(unit: Unit, unitId: unknown): Promise<{ id: number; user_id: number | null }[]> {
  return unit.query<{ id: number; user_id: number | null }>(
    `select m.id, coalesce(m.user_id, e.user_id) as user_id from {board_unit} u join {board_member} m on m.id = any(u.member_ids)
     left join {employee} e on e.id = m.employee_id where u.id = $1 order by m.name`,
    [unitId],
  );
}

async function notifyMembers({ record }: Call, unit: Unit, subject: (name: string) => string, text: string) {
  const members = await membersOf(unit, record.unit_id);
  const [named] = await unit.query<{ name: string }>('select name from {board_unit} where id = $1', [record.unit_id]);
  await unit.notify({
    event: 'board',
    to: members.flatMap(({ user_id: user }) => (user === null ? [] : [user])),
    values: { subject: subject(named?.name ?? ''), text },
    link: `/board_meetings/view/${record.id}`,
  });
  return members;
}

/** Sends the notice of a meeting, and lists the members for the attendance. */
export const invite: Effect = {
  elevated: true,
  async apply(call) {
    const unit = call.unit.elevated();
    const { record } = call;
    const members = await notifyMembers(
      call,
      unit,
      (name) => `${name}: meeting on ${formatDate(String(record.held_on))}`,
      [record.starts_at, record.place].filter(Boolean).join(', ') || 'The agenda is with the meeting.',
    );
    const known = presencesOf(record);
    const missing = members.filter(({ id }) => !known.some((one) => one.board_member_id === id));
    if (missing.length > 0)
      await unit.update('board_meeting', record.id, {
        attendance: [...known.map((one) => ({ ...one })), ...missing.map(({ id }) => ({ board_member_id: id }))],
      });
  },
};

/** Sends the draft of the minutes to the members. */
export const sendMinutes: Effect = {
  elevated: true,
  async apply(call) {
    await notifyMembers(
      call,
      call.unit.elevated(),
      (name) => `${name}: draft minutes of ${formatDate(String(call.record.held_on))}`,
      'Tell the secretary what should change.',
    );
  },
};

/** Creates the tasks of the actions once the meeting has been held. */
export const actionsGiven: Effect = {
  elevated: true,
  apply: ({ unit, record }) => settleActions(unit.elevated(), record.id),
};
