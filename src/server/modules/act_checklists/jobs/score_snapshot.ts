import { DateTime } from 'luxon';
import type { Job } from '../../../engine/modules.ts';
import { writeScores } from '../score_rows.ts';

/** For this many past months, tasks may still be done late and change the score of a month that is not closed. */
const MONTHS_BACK = 3;

/** Scores the current month and earlier ones that are not closed. */
export const scoreSnapshot: Job = {
  elevated: true,
  async run({ due, each }) {
    const today = due.slice(0, 10);
    const first = DateTime.fromISO(today, { zone: 'utc' }).startOf('month');
    const months = Array.from({ length: MONTHS_BACK + 1 }, (_, back) =>
      first.minus({ months: back }).toFormat('yyyy-MM'),
    );
    const done = await each(
      (_unit, after) => Promise.resolve(months.slice(after === undefined ? 0 : Number(after))),
      async (unit, batch) => {
        const [month] = batch;
        await writeScores(unit.elevated(), month!, today, { frozen: false, revision: 0 });
        return months.indexOf(month!) + 1;
      },
    );
    return `${Math.min(done, months.length)} months scored.`;
  },
};
