import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { OPEN_UPDATE } from '../period_lock.ts';

const SHEETS_PER_STEP = 50;

/**
 * Closes the sheets of a year that is over once all their periods are frozen (performance.md §4). One that was reopened
 * stays open until its last day.
 */
export const closeSheets: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const closed = await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select s.id from {kpi_sheet} s where s.entity_id = $1 and s.active and s.status in ('approved', 'acknowledged')
             and s.valid_to < $2 and (s.reopen_until is null or s.reopen_until < $2) and s.id > $3
             and exists (select 1 from {kpi_actual} a where a.sheet_id = s.id and a.active)
             and not exists (select 1 from {kpi_actual} a where a.sheet_id = s.id and ${OPEN_UPDATE})
           order by s.id limit ${SHEETS_PER_STEP}`,
          [company, today, after ?? 0],
        ),
      async (person, sheets) => {
        await person.elevated().takeAutoMany(
          'kpi_sheet',
          sheets.map(({ id }) => id),
          'close',
        );
        return sheets.at(-1)!.id;
      },
    );
    return `${closed} sheets closed.`;
  },
};
