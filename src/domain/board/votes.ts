/** How a member voted on an item of a meeting. */
export type Vote = 'for' | 'against' | 'abstain';

/** A vote, and whether it is that of the person in the chair. */
export interface CastVote {
  vote: Vote;
  isChair: boolean;
}

export interface VoteCount {
  votes_for: number;
  votes_against: number;
  abstained: number;
  /** Null without votes for or against. */
  outcome: 'carried' | 'casting_vote' | 'lost' | null;
}

/**
 * The result of a vote: the majority of those who voted for or against decides. On equal votes the chair has a second
 * vote (Table F, 68); if the chair did not vote, the motion is lost.
 */
export function countVotes(votes: readonly CastVote[]): VoteCount {
  const count = (vote: Vote) => votes.filter((one) => one.vote === vote).length;
  const [inFavour, against] = [count('for'), count('against')];
  const byChair = votes.find(({ isChair }) => isChair)?.vote;
  return {
    votes_for: inFavour,
    votes_against: against,
    abstained: count('abstain'),
    outcome:
      inFavour + against === 0
        ? null
        : inFavour > against
          ? 'carried'
          : inFavour === against && byChair === 'for'
            ? 'casting_vote'
            : 'lost',
  };
}
