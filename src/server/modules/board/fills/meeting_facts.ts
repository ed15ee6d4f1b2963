import { strengthOf } from '../../../../domain/board/composition.ts';
import { meetingClocks } from '../../../../domain/board/meeting_clocks.ts';
import { quorumWithInterest } from '../../../../domain/board/quorum.ts';
import type { Fill } from '../../../engine/modules.ts';
import { quorumRuleOf, sittingRows, unitRows } from '../board_rows.ts';
import type { MeetingPresence } from '../meeting_presence.ts';
import { isPresent, presencesOf } from '../meeting_presence.ts';

/** The days of a meeting's notice and minutes, its quorum and who is present of those who count (board.md §5.1, 5.4). */
export const meetingFacts: Fill = {
  async run({ unit, record }) {
    const company = unit.session.entityId;
    const [type] = await unit.query<{ notice_days: number; user_ids: number[] | null }>(
      `select coalesce(u.notice_days, t.notice_days, 7) as notice_days, u.member_user_ids as user_ids
       from {board_unit} u join {board_type} t on t.id = u.board_type_id where u.id = $1`,
      [record.unit_id],
    );
    const held = typeof record.held_on === 'string' ? record.held_on : null;
    const clocks = held === null ? null : meetingClocks(held, type?.notice_days ?? 7);
    const own = company === null ? undefined : (await unitRows(unit, company)).find(({ id }) => id === record.unit_id);
    const sitting = own ? (await sittingRows(unit, company!)).filter((one) => one.unit_id === own.id) : [];
    const counting = strengthOf(sitting, own?.kind ?? 'committee').filter((one) => one.counts_for_quorum);
    const presences = presencesOf(record);
    const of = (is: (one: MeetingPresence) => boolean) =>
      counting.filter((one) => presences.some((row) => row.board_member_id === one.board_member_id && is(row))).length;
    const interested = of((one) => one.interested === true);
    return {
      notice_by: clocks?.notice_by ?? null,
      draft_minutes_by: clocks?.draft_minutes_by ?? null,
      minutes_by: clocks?.minutes_entered_by ?? null,
      strength: counting.length,
      quorum: own ? quorumWithInterest(counting.length, interested, quorumRuleOf(own)) : null,
      present: of((one) => isPresent(one) && (interested * 3 < counting.length * 2 || one.interested !== true)),
      member_user_ids: type?.user_ids ?? [],
    };
  },
};
