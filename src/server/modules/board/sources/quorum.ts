import { strengthOf } from '../../../../domain/board/composition.ts';
import { quorumOf } from '../../../../domain/board/quorum.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { quorumRuleOf } from '../board_rows.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { seatHolders } from '../seat_holders.ts';

/** How many members must be present for a decision of the unit (board.md §5.1). */
const quorum: ReportSource = {
  reads: { board_unit: ['quorum_min'], board_tenure: ['board_member_id'] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const counting = strengthOf(await seatHolders(call, unit.id), unit.kind).filter((one) => one.counts_for_quorum);
    return {
      rows: [{ quorum: quorumOf(counting.length, quorumRuleOf(unit)) }],
      note: `Of ${counting.length} ${counting.length === 1 ? 'member who counts' : 'members who count'}`,
      opens: `/BoardUnits/view/${unit.id}`,
    };
  },
};

export default quorum;
