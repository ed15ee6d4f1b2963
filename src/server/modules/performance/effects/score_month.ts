import type { Effect } from '../../../engine/modules.ts';
import { monthScore, monthTrend, ratingOf } from '../month_score.ts';
import { performanceSettings } from '../performance_settings.ts';

/** Stores the score of an update's member and month. A frozen score never changes (§1). */
export const scoreMonth: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const sheetId = record.sheet_id as number;
    const employeeId = record.employee_id as number;
    const month = String(record.month);
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
    else
      await unit.create('kpi_score', {
        ...values,
        employee_id: employeeId,
        sheet_id: sheetId,
        month,
        department_id: record.department_id ?? null,
        branch_id: record.branch_id ?? null,
      });
  },
};
