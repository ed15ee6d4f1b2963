import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { periodOf, rowsOf } from '../appraisal_facts.ts';
import { appraisalSettings, ratingBands } from '../appraisal_settings.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { performanceSettings } from '../performance_settings.ts';
import { periodScore } from '../period_score.ts';
import { numberOf } from '../sheet_lines.ts';

async function nameOf(unit: Unit, employee: unknown): Promise<string> {
  const [found] = await unit.query<{ name: string }>('select name from {employee} where id = $1', [employee]);
  return found?.name ?? 'This member';
}

/**
 * A manager submits when everything is rated, the KPIs of the period are frozen, and the adjustment is within its limit
 * and explained (§4).
 */
export const appraisalIsRated: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const errors: FieldError[] = [];
    const settings = await appraisalSettings(unit);
    if (Number(record.kpi_weight ?? 0) > 0) {
      const kpis = await periodScore(
        unit,
        record.employee_id as number,
        await periodOf(unit, record),
        await performanceSettings(unit),
      );
      if (kpis.lines.length === 0 && record.kpis_needed === true)
        errors.push({
          field: 'kpi_lines',
          message: `${await nameOf(unit, record.employee_id)} has no KPI sheet in the period. Assign KPIs first.`,
        });
      if (kpis.open !== null)
        errors.push({
          field: 'kpi_lines',
          message: `${monthTitle(kpis.open)} is not frozen. Scores may still change.`,
        });
    }
    const isReplaced = rowsOf(record, 'kpi_lines').some(({ given_score: score }) => numberOf(score) !== null);
    if (isReplaced && record.may_replace_kpis !== true)
      errors.push({ field: 'kpi_lines', message: 'The scores of KPIs may not be replaced. Leave them empty.' });
    if (rowsOf(record, 'competency_lines').some(({ manager_level: rated }) => numberOf(rated) === null))
      errors.push({ field: 'competency_lines', message: 'Rate each competency.' });
    for (const { question, asked_of: of, needed, manager_answer: answer } of rowsOf(record, 'answers'))
      if (needed === true && of !== 'self' && numberOf(answer) === null)
        errors.push({ field: 'answers', message: `Answer the question: ${String(question)}` });
    const adjust = new Decimal(numberOf(record.manager_adjust) ?? 0);
    if (adjust.abs().greaterThan(settings.manager_max_adjust))
      errors.push({
        field: 'manager_adjust',
        message: `A manager may adjust by ${new Decimal(settings.manager_max_adjust).toString()} points at most.`,
      });
    if (!adjust.isZero() && numberOf(record.adjust_reason) === null)
      errors.push({ field: 'adjust_reason', message: 'Enter why you adjust the score.' });
    const band = (await ratingBands(unit, record.rating_scheme_id as number | null)).find(
      ({ label }) => label === record.rated_band,
    );
    if (band?.comment_required && numberOf(record.manager_summary) === null)
      errors.push({ field: 'manager_summary', message: `The rating "${band.label}" needs your summary.` });
    return errors;
  },
};
