import type { Unit } from '../../engine/records/unit.ts';
import { usualSchemeSql } from './usual_scheme.ts';

/** The appraisal settings of a company (Appraisal score in Settings); amounts are decimals as text. */
export interface AppraisalSettings {
  self_rating: 'yes' | 'no';
  kpi_weight: string;
  competency_weight: string;
  feedback_weight: string;
  self_weight: string;
  rating_scheme_id: number | null;
  manager_max_adjust: string;
  /** Whether managers may replace the scores of single KPIs. */
  kpi_override: 'never' | 'with_reason';
  reviewer_level: 'none' | 'skip_level' | 'hod';
  moderation: 'off' | 'advisory' | 'required';
  moderation_min_group: number;
  release_shows: string[];
  auto_submit_self: boolean;
  acknowledge_days: number;
  appeal_days: number;
}

const USUAL: AppraisalSettings = {
  self_rating: 'yes',
  kpi_weight: '70',
  competency_weight: '30',
  feedback_weight: '0',
  self_weight: '0',
  rating_scheme_id: null,
  manager_max_adjust: '5',
  kpi_override: 'never',
  reviewer_level: 'skip_level',
  moderation: 'advisory',
  moderation_min_group: 5,
  release_shows: ['rating', 'comments'],
  auto_submit_self: true,
  acknowledge_days: 7,
  appeal_days: 7,
};

/** The current company's settings, with the shipped defaults. */
export function appraisalSettings(unit: Unit): Promise<AppraisalSettings> {
  return unit.once(`appraisal settings ${unit.session.entityId}`, () => readSettings(unit));
}

async function readSettings(unit: Unit): Promise<AppraisalSettings> {
  const [row] = await unit.query<Partial<AppraisalSettings>>(
    `select self_rating, kpi_weight::text, competency_weight::text, feedback_weight::text, self_weight::text, rating_scheme_id,
       manager_max_adjust::text, kpi_override, reviewer_level, moderation, moderation_min_group, release_shows, auto_submit_self,
       acknowledge_days, appeal_days
     from {rating_setting} where entity_id = $1 order by id limit 1`,
    [unit.session.entityId],
  );
  const set = Object.entries(row ?? {}).filter(([, value]) => value !== null);
  return { ...USUAL, ...Object.fromEntries(set) };
}

export interface RatingBand {
  code: string;
  label: string;
  color: string | null;
  from_score: string;
  /** The start of the next band, or the end of the last one. */
  to_score: string;
  increment_min: string | null;
  increment_max: string | null;
  distribution_percent: string | null;
  comment_required: boolean;
  improvement_plan: boolean;
}

/** The bands of a rating scheme, lowest first; by default those of the default appraisal scheme. */
export function ratingBands(unit: Unit, schemeId: number | null): Promise<RatingBand[]> {
  return unit.once(`rating bands ${schemeId}`, () => readBands(unit, schemeId));
}

function readBands(unit: Unit, schemeId: number | null): Promise<RatingBand[]> {
  return unit.query<RatingBand>(
    `select b.code, b.label, b.color, b.from_score::text,
       coalesce(lead(b.from_score) over (order by b.from_score), b.to_score)::text as to_score,
       b.increment_min::text, b.increment_max::text, b.distribution_percent::text, coalesce(b.comment_required, false) as comment_required,
       coalesce(b.improvement_plan, false) as improvement_plan
     from {performance_rating.bands} b where b.parent_id = coalesce($1, ${usualSchemeSql('{performance_rating}')})
     order by b.from_score`,
    [schemeId],
  );
}
