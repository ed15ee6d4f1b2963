import type { Action } from '../../../engine/modules.ts';
import type { VoteRow } from '../meeting_votes.ts';
import { agendaOf, mayNotVote, votersOf, votesOf } from '../meeting_votes.ts';

const plain = (votes: readonly VoteRow[]): Record<string, unknown>[] => votes.map((vote) => ({ ...vote }));

/** Adds a vote in favour of everybody present who may vote, on each item to be decided; votes that are entered stay. */
export const allInFavour: Action = {
  async run({ unit, record }) {
    const meeting = record!;
    const votes = votesOf(meeting);
    const voters = await votersOf(unit, meeting);
    const may = voters.filter(({ board_member_id: id }) => mayNotVote(meeting, voters, id) === null);
    const missing = agendaOf(meeting).flatMap(({ no, purpose }) =>
      purpose === 'decide'
        ? may.flatMap(({ board_member_id: id }) =>
            votes.some((one) => one.no === no && one.board_member_id === id)
              ? []
              : [{ no, board_member_id: id, vote: 'for' as const }],
          )
        : [],
    );
    if (missing.length === 0)
      return { rows: plain(votes), done: may.length === 0 ? 'Enter who is present first.' : 'Everybody has voted.' };
    return { rows: plain([...votes, ...missing]) };
  },
};
