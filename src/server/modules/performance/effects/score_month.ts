import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { storeMonthScores } from '../many_scores.ts';
import type { ScoredMonth } from '../month_score.ts';
import { monthScore, monthTrend, ratingOf } from '../month_score.ts';
import { performanceSettings } from '../performance_settings.ts';
import { ownerOf } from '../sheet_owner.ts';

/** Stores the score of a sheet and month. A frozen score never changes (§1). */
export async function storeMonthScore(unit: Unit, of: ScoredMonth): Promise<void> {
  const { sheet_id: sheetId, month } = of;
  // Two KPIs of a month may be approved at once: the second sees what the first has approved and written.
  await unit.lock([{ type: 'kpi_sheet', id: sheetId }]);
  const result = await monthScore(unit, sheetId, month, await performanceSettings(unit));
  if (result === null) return;
  const [known] = await unit.query<{ id: number; frozen: boolean }>(
    'select id, frozen from {kpi_score} where sheet_id = $1 and month = $2 and active for update',
    [sheetId, month],
  );
  if (known?.frozen) return;
  const values = {
    score: result.score,
    covered: result.covered,
    band: await ratingOf(unit, result.score),
    trend: await monthTrend(unit, of, month, result.score),
    frozen: result.isFrozen,
  };
  if (known) await unit.update('kpi_score', known.id, values);
  else {
    // Somebody else may enter the figure.
    const [sheet] = await unit.query<{ responsible_id: number | null }>(
      'select coalesce(responsible_id, employee_id) as responsible_id from {kpi_sheet} where id = $1',
      [sheetId],
    );
    await unit.create('kpi_score', { ...values, ...of, ...sheet });
  }
}

const scoredMonth = (record: WireRecord): ScoredMonth => ({
  ...ownerOf(record),
  sheet_id: record.sheet_id as number,
  month: String(record.month),
});

/** Stores the score of an update's sheet and month. */
export const scoreMonth: Effect = {
  elevated: true,
  apply: ({ unit, record }) => storeMonthScore(unit.elevated(), scoredMonth(record)),
  async applyMany(calls) {
    const months = new Map(
      calls.map(({ record }) => [`${record.sheet_id as number} ${String(record.month)}`, scoredMonth(record)]),
    );
    await storeMonthScores(calls[0]!.unit.elevated(), [...months.values()]);
  },
};
