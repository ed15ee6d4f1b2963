import { strengthOf } from '../../../../domain/board/composition.ts';
import { quorumWithInterest } from '../../../../domain/board/quorum.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { quorumRuleOf } from '../board_rows.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { seatHolders } from '../seat_holders.ts';

interface Interest {
  board_member_id: number;
  member: string;
  body: string;
  nature: string;
  shareholding: string | null;
  since: string | null;
}

/**
 * Who is interested in which party on a day, and how a unit then decides about it: interested members neither vote nor
 * count for the quorum (board.md §5.1, 7). A member's latest declaration of interests replaces the earlier ones.
 */
const interestsReport: ReportSource = {
  reads: { board_disclosure: ['interests'], board_unit: ['quorum_min'] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const day = typeof call.parameters.on_day === 'string' ? call.parameters.on_day : call.today;
    const reader = new SourceReader(call);
    const interests = await reader.query<Interest>(
      (
        values,
      ) => `select m.id as board_member_id, m.name as member, i.body, i.nature, i.shareholding::text, i.since::text
        from {board_member} m join lateral (
          select d.id from {board_disclosure} d where d.board_member_id = m.id and d.kind in ('interest_mbp1', 'related_party')
            and d.state in ('received', 'noted') and d.received_on <= ${values.bind(day)}::date
            and ${reader.seen('board_disclosure', 'd', values)} order by d.received_on desc, d.id desc limit 1) l on true
        join {board_disclosure.interests} i on i.parent_id = l.id
        where i.since is null or i.since <= ${values.bind(day)}::date order by i.body, m.name`,
    );
    const holders = strengthOf(await seatHolders(call, unit.id), unit.kind).filter((one) => one.counts_for_quorum);
    const sits = new Set(holders.map((one) => one.board_member_id));
    return {
      note: unit.name,
      rows: [...Map.groupBy(interests, ({ body }) => body)].flatMap(([body, own]) => {
        const interested = new Set(
          own.filter((one) => sits.has(one.board_member_id)).map((one) => one.board_member_id),
        );
        return own.map(({ member, nature, shareholding, since, board_member_id: id }) => ({
          body,
          member,
          nature,
          shareholding,
          since,
          sits: sits.has(id) ? 'Yes' : 'No',
          may_vote: holders.length - interested.size,
          quorum: quorumWithInterest(holders.length, interested.size, quorumRuleOf(unit)),
        }));
      }),
    };
  },
};
export default interestsReport;
