import type { Job } from '../../../engine/modules.ts';
import { planLines } from '../plan_lines.ts';

/** Few lines per step, so that other requests can run in between. */
const LINES_PER_STEP = 50;

/**
 * Plans the visits of contract years that begin within 30 days, and whatever is missing of years that have begun; cancels
 * planned visits of lines that a change of their contract has ended.
 */
export const makeVisits: Job = {
  elevated: true,
  async run({ company, each }) {
    let made = 0;
    const lines = await each(
      (unit, after) =>
        unit.query<{ id: number }>(
          `select l.id from {contract_line} l join {contract} c on c.id = l.contract_id
           where c.entity_id = $1 and c.status = 'active' and l.line_status = 'active' and c.schedule_visit_id is not null and l.id > $2
           order by l.id limit ${LINES_PER_STEP}`,
          [company, after ?? 0],
        ),
      async (unit, batch) => {
        made += await planLines(unit.elevated(), { lines: batch.map(({ id }) => id) });
        return batch.at(-1)!.id;
      },
    );
    const cancelled = await each(
      (unit, after) =>
        unit.query<{ id: number }>(
          `select v.id from {scheduled_ticket} v join {contract_line} l on l.id = v.contract_line_id
           where v.entity_id = $1 and v.status = 'planned' and v.id > $2
             and (l.line_status in ('moved', 'closed', 'cancelled') or coalesce(l.closes_on, l.to_on) < v.window_from)
           order by v.id limit ${LINES_PER_STEP}`,
          [company, after ?? 0],
        ),
      async (unit, visits) => {
        for (const { id } of visits) await unit.elevated().takeAuto('scheduled_ticket', id, 'cancel');
        return visits.at(-1)!.id;
      },
    );
    return `${made} visits planned for ${lines} lines of contracts${cancelled > 0 ? `, ${cancelled} cancelled of lines that ended` : ''}.`;
  },
};
