import type { Fill } from '../../../engine/modules.ts';
import { reviewerOf } from '../appraisal_facts.ts';
import { appraisalSettings } from '../appraisal_settings.ts';

/** The participants in a member's appraisal, and whether a self-assessment comes first (performance.md §4). */
export const appraisalPeople: Fill = {
  async run({ unit, record }) {
    const settings = await appraisalSettings(unit);
    const rules = {
      has_self_rating: settings.self_rating === 'yes',
      needs_moderation: settings.moderation !== 'off',
      auto_submit_self: settings.auto_submit_self,
      may_replace_kpis: settings.kpi_override === 'with_reason',
    };
    const employee = record.employee_id as number | null;
    if (employee === null || employee === undefined) return { manager_id: null, reviewer_id: null, ...rules };
    const [row] = await unit.query<{ manager: number | null; has_left: boolean }>(
      `select reporting_to_id as manager, status = 'left' as has_left from {employee} where id = $1`,
      [employee],
    );
    const manager = row?.manager ?? null;
    return {
      manager_id: manager,
      reviewer_id: await reviewerOf(unit, { employee, manager }, settings.reviewer_level),
      ...rules,
      // A member who has left does not rate themselves any more.
      ...(row?.has_left === true && { has_self_rating: false }),
    };
  },
};
