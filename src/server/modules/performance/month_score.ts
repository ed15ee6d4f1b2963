import { bandOf, sheetScore } from '../../../domain/performance/achievement.ts';
import { trendOf } from '../../../domain/performance/over_time.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import type { SheetOwner } from './sheet_owner.ts';
import { belongsTo } from './sheet_owner.ts';

/** The sheet and month that a score is for, with the sheet's owner. */
export interface ScoredMonth extends SheetOwner, Record<string, unknown> {
  sheet_id: number;
  month: string;
}

/** What a month's score is made of; amounts are decimals as text. */
export interface ScoredUpdate {
  achievement: string | null;
  weight: string;
  threshold_percent: string | null;
  cap_percent: string | null;
  stretch_percent: string | null;
  not_applicable: boolean;
  counts: boolean;
  frozen: boolean;
}

/** The score of a sheet in a month from its approved updates; null = no update has a weight. */
export async function monthScore(unit: Unit, sheetId: number, month: string, settings: PerformanceSettings) {
  const updates = await unit.query<ScoredUpdate & Record<string, unknown>>(
    `select achievement::text, weight::text, threshold_percent::text, cap_percent::text, stretch_percent::text, not_applicable, counts,
       status = 'frozen' as frozen
     from {kpi_actual} where sheet_id = $1 and month = $2 and active and weight > 0`,
    [sheetId, month],
  );
  return scoreOfMonth(updates, settings);
}

/** The same from the updates of a month; those without a weight do not count. */
export function scoreOfMonth(all: readonly ScoredUpdate[], settings: PerformanceSettings) {
  const updates = all.filter(({ weight }) => Number(weight) > 0);
  if (updates.length === 0) return null;
  const isFrozen = updates.every(({ frozen }) => frozen);
  const { score, covered } = sheetScore(
    updates.map((update) => ({
      achievement: update.counts ? update.achievement : null,
      weight: update.weight,
      threshold: update.threshold_percent ?? settings.threshold_percent,
      cap: update.cap_percent ?? settings.cap_percent,
      stretch: update.stretch_percent,
      notApplicable: update.counts && update.not_applicable,
    })),
    isFrozen ? settings.missing_actual : 'exclude',
    settings.sheet_cap_percent,
  );
  return { score, covered, isFrozen };
}

/** A band of the default KPI rating, otherwise of appraisals. */
export type ScoreBand = { from_score: string; label: string };

/** The bands of scores. */
export const scoreBands = (unit: Unit): Promise<ScoreBand[]> => unit.query<ScoreBand>(BANDS_SQL);

/** Reads the bands of scores. */
export const BANDS_SQL = `select b.from_score::text, b.label, b.from_score::float8 as "from", b.to_score::float8 as "to", b.color as colour from {performance_rating.bands} b where b.parent_id = (
  select r.id from {performance_rating} r where r.active and r.is_default and r.applies_to in ('kpi', 'appraisal')
  order by r.applies_to = 'kpi' desc limit 1)`;

/** The label of a score's band; null = none. */
export async function ratingOf(unit: Unit, score: string | null): Promise<string | null> {
  return score === null ? null : (bandOf(score, await scoreBands(unit))?.label ?? null);
}

/** The trend of a month's score against the three months before of the same member or unit. */
export async function monthTrend(unit: Unit, owner: SheetOwner, month: string, score: string | null) {
  if (score === null) return null;
  const whose = belongsTo('s', owner, unit.session.entityId, 2);
  const before = await unit.query<{ score: string }>(
    `select s.score::text from {kpi_score} s
     where ${whose.sql} and s.month < $1 and s.score is not null and s.active order by s.month desc limit 3`,
    [month, ...whose.values],
  );
  return trendOf(
    score,
    before.map((one) => one.score),
  );
}
