import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { chosenUnit } from '../chosen_unit.ts';

/** The unit that the page shows where the reader has chosen none; another's unit is refused. */
const shownUnit: ReportSource = {
  reads: { board_unit: [], board_type: [], board_member: [] },
  async rows(call) {
    const unit = await chosenUnit(call);
    return { rows: unit ? [{ unit: unit.id }] : [] };
  },
};

export default shownUnit;
