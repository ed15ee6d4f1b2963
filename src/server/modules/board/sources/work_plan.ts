import { monthNames } from '../../../../domain/month_names.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { pageDay } from '../page_period.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** The unit's plan for the year, next months first. */
const workPlan: ReportSource = {
  reads: { board_unit: ['work_plan'] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    if (!unit.shows_papers) return { rows: [], note: 'The plan is confidential: members and the secretary see it.' };
    const reader = new SourceReader(call);
    const now = Number(pageDay(call).slice(5, 7));
    const rows = await reader.query<{ month: number; item: string; owner: string | null }>(
      (
        values,
      ) => `select p.month, p.item, e.name as owner from {board_unit.work_plan} p left join {employee} e on e.id = p.paper_owner_id
        where p.parent_id = ${values.bind(unit.id)} order by (p.month - ${values.bind(now)} + 12) % 12, p.id`,
    );
    return {
      rows: rows.map(({ month, item, owner }) => ({ month: monthNames[month - 1]!, item, owner })),
      opens: `/BoardUnits/view/${unit.id}`,
    };
  },
};

export default workPlan;
