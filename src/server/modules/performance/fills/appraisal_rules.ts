import type { Fill } from '../../../engine/modules.ts';
import type { TemplateRules } from '../appraisal_rules.ts';
import { appraisalRules as rulesOf } from '../appraisal_rules.ts';

const NONE = { kpi_weight: null, competency_weight: null, feedback_weight: null, rating_scheme_id: null };

/** Weights and rating scheme of an appraisal, by its template and the settings. */
export const appraisalRules: Fill = {
  async run({ unit, record }) {
    const [template] = await unit.query<TemplateRules & Record<string, unknown>>(
      `select kpi_weight::text, competency_weight::text, feedback_weight::text, rating_scheme_id
       from {appraisal_template} where id = $1`,
      [record.template_id ?? null],
    );
    return template ? { ...(await rulesOf(unit, template)) } : NONE;
  },
};
