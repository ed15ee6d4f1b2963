import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { monthScore, monthTrend, ratingOf } from '../month_score.ts';
import { performanceSettings } from '../performance_settings.ts';

/** The member, sheet and month that a score is for. */
export interface ScoredMonth extends Record<string, unknown> {
  employee_id: number;
  sheet_id: number;
  month: string;
  department_id: number | null;
  branch_id: number | null;
}

/** Stores the score of a member and month. A frozen score never changes (§1). */
export async function storeMonthScore(unit: Unit, of: ScoredMonth): Promise<void> {
  const { employee_id: employeeId, sheet_id: sheetId, month } = of;
  // Two KPIs of a month may be approved at once: the second sees what the first has approved and written.
  await unit.lock([{ type: 'kpi_sheet', id: sheetId }]);
  const result = await monthScore(unit, sheetId, month, await performanceSettings(unit));
  if (result === null) return;
  const [known] = await unit.query<{ id: number; frozen: boolean }>(
    'select id, frozen from {kpi_score} where employee_id = $1 and sheet_id = $2 and month = $3 and active for update',
    [employeeId, sheetId, month],
  );
  if (known?.frozen) return;
  const values = {
    score: result.score,
    covered: result.covered,
    band: await ratingOf(unit, result.score),
    trend: await monthTrend(unit, employeeId, month, result.score),
    frozen: result.isFrozen,
  };
  if (known) await unit.update('kpi_score', known.id, values);
  else await unit.create('kpi_score', { ...values, ...of });
}

/** Stores the score of an update's member and month. */
export const scoreMonth: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    await storeMonthScore(person.elevated(), {
      employee_id: record.employee_id as number,
      sheet_id: record.sheet_id as number,
      month: String(record.month),
      department_id: (record.department_id ?? null) as number | null,
      branch_id: (record.branch_id ?? null) as number | null,
    });
  },
};
