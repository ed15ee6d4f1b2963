import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Difference } from '../open_scores.ts';
import { openDifferences, openSheets } from '../open_scores.ts';

/** Differences that the report names. */
const NAMED = 10;

/** Every night, computes all figures that are not frozen anew and reports those that differ. Nothing is repaired silently. */
export const checkScores: Job = {
  concernsPlatform: true,
  async run({ company, actor, each }) {
    if (company === null) return;
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const found: Difference[] = [];
    const sheets = await each<{ id: number }>(
      (unit, after) => openSheets(unit, company, after, null),
      async (unit, some) => {
        found.push(
          ...(await openDifferences(
            unit,
            some.map(({ id }) => id),
            today,
          )),
        );
        return some.at(-1)!.id;
      },
    );
    if (found.length === 0) return `The open figures of ${sheets} sheets equal their recomputation.`;
    const some = found
      .slice(0, NAMED)
      .map(({ of, stored, computed }) => `${of}: ${stored ?? 'empty'} stored, ${computed ?? 'empty'} computed`);
    throw new Error(`${found.length} open figures differ from their recomputation: ${some.join('; ')}.`);
  },
};
