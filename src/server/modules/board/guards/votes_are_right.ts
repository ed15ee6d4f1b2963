import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { agendaOf, mayNotVote, votersOf, votesOf } from '../meeting_votes.ts';

/** Votes are cast on items of the agenda, by members who may vote; a decision agrees with its votes. */
export const votesAreRight: Guard = {
  elevated: true,
  async check({ unit: asked, record }) {
    const unit = asked.elevated();
    const agenda = agendaOf(record);
    const votes = votesOf(record);
    const errors: FieldError[] = [];
    agenda.forEach(({ no, outcome, decision }, at) => {
      if (outcome === 'lost' && decision !== null && decision !== undefined && decision !== '')
        errors.push({
          field: `agenda.${at}.decision`,
          message: `Item ${no} has no majority. Correct the votes, or empty its decision.`,
        });
    });
    if (votes.length === 0) return errors;
    const voters = await votersOf(unit, record);
    const names = new Map(
      (
        await unit.query<{ id: number; name: string }>('select id, name from {board_member} where id = any($1)', [
          votes.flatMap(({ board_member_id: id }) => id ?? []),
        ])
      ).map(({ id, name }) => [id, name]),
    );
    votes.forEach(({ no, board_member_id: member }, at) => {
      if (!agenda.some((item) => item.no === no))
        errors.push({ field: `votes.${at}.no`, message: `The agenda has no item ${no}.` });
      const reason = member === null ? null : mayNotVote(record, voters, member);
      if (reason !== null)
        errors.push({
          field: `votes.${at}.board_member_id`,
          message: `${names.get(member!) ?? 'This member'} ${reason} and cannot vote.`,
        });
    });
    return errors;
  },
};
