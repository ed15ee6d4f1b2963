import { countVotes } from '../../../../domain/board/votes.ts';
import type { Fill } from '../../../engine/modules.ts';
import { chairOf } from '../judge_rules.ts';
import { agendaOf, mayNotVote, votersOf, votesOf } from '../meeting_votes.ts';

/** Numbers the items of a meeting, and counts the votes of those who may vote on each. */
export const meetingVotes: Fill = {
  async run({ unit, record }) {
    const agenda = agendaOf(record);
    const votes = votesOf(record);
    const voters = votes.length > 0 ? await votersOf(unit, record) : [];
    const chair = chairOf(voters)?.board_member_id;
    let last = Math.max(0, ...agenda.map(({ no }) => no ?? 0));
    return {
      agenda: agenda.map((item) => {
        const no = item.no ?? ++last;
        const own = votes.flatMap(({ no: of, board_member_id: member, vote }) =>
          of === no && member !== null && vote !== null && mayNotVote(record, voters, member) === null
            ? [{ vote, isChair: member === chair }]
            : [],
        );
        return { ...item, no, ...countVotes(own) };
      }),
    };
  },
};
