import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { storeFigures, storeMonthScores } from '../many_scores.ts';
import { openDifferences, openSheets } from '../open_scores.ts';

/** Computes the open figures anew after a change of a KPI or of the settings for scores; frozen ones stay. */
export const recomputeScores: Job = {
  elevated: true,
  args: { type: 'object', properties: { kpi: { type: 'integer' } } },
  async run({ company, actor, args, each }) {
    if (company === null) return;
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    let changed = 0;
    await each<{ id: number }>(
      (unit, after) => openSheets(unit, company, after, (args.kpi ?? null) as number | null),
      async (person, some) => {
        const unit = person.elevated();
        const found = await openDifferences(
          unit,
          some.map(({ id }) => id),
          today,
        );
        await storeFigures(
          unit,
          found.flatMap(({ update }) => update ?? []),
        );
        await storeMonthScores(
          unit,
          found.flatMap(({ update, month }) => (update ? [] : [month])),
        );
        changed += found.length;
        return some.at(-1)!.id;
      },
    );
    return `${changed} figures changed.`;
  },
};
