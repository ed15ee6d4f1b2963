import type { Unit } from '../../engine/records/unit.ts';
import { appraisalSettings } from './appraisal_settings.ts';
import { usualSchemeSql } from './usual_scheme.ts';

/** The weights of an appraisal's parts in percent, and its rating scheme; a template leaves empty what settings decide. */
export interface TemplateRules {
  kpi_weight: string | null;
  competency_weight: string | null;
  feedback_weight: string | null;
  rating_scheme_id: number | null;
}

const usualScheme = (unit: Unit): Promise<number | null> =>
  unit.once('usual appraisal scheme', async () => {
    const [scheme] = await unit.query<{ id: number | null }>(`select ${usualSchemeSql('{performance_rating}')} as id`);
    return scheme?.id ?? null;
  });

/**
 * What an appraisal follows from its beginning to its end: its template, else Appraisal score in Settings, else the
 * default scheme. Later changes of these do not concern it (performance.md §3.4).
 */
export async function appraisalRules(unit: Unit, template: TemplateRules): Promise<TemplateRules> {
  const settings = await appraisalSettings(unit);
  const weights = template.kpi_weight === null ? settings : template;
  const scheme = template.rating_scheme_id ?? settings.rating_scheme_id ?? (await usualScheme(unit));
  return {
    kpi_weight: weights.kpi_weight,
    competency_weight: weights.competency_weight ?? '0',
    feedback_weight: weights.feedback_weight ?? '0',
    rating_scheme_id: scheme,
  };
}
