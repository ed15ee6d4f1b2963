import { bandOf } from '../../../domain/performance/achievement.ts';
import { trendOf } from '../../../domain/performance/over_time.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { ScoredMonth } from './month_score.ts';
import type { ScoredUpdate } from './month_score.ts';
import { scoreBands, scoreOfMonth } from './month_score.ts';
import { performanceSettings } from './performance_settings.ts';
import { sameMember, sameUnit } from './sheet_owner.ts';
import type { UpdateScore } from './update_score.ts';

interface Stored extends Record<string, unknown> {
  sheet_id: number;
  id: number | null;
  frozen: boolean | null;
  responsible_id: number | null;
  /** The scores of the three months before, the latest first. */
  before: string[];
}

/** Writes the figures of many updates in one statement. */
export async function storeFigures(unit: Unit, figures: readonly { id: number; values: UpdateScore }[]): Promise<void> {
  if (figures.length === 0) return;
  await unit.query(
    `update {kpi_actual} a set achievement = x.achievement, score = x.score, weighted = x.weighted, colour = x.colour,
       version = a.version + 1, updated_at = now()
     from jsonb_to_recordset($1::jsonb) x(id bigint, achievement numeric, score numeric, weighted numeric, colour text)
     where a.id = x.id and a.status <> 'frozen'`,
    [JSON.stringify(figures.map(({ id, values }) => ({ id, ...values })))],
  );
}

/** Stores the scores of different sheets in one month. */
async function storeScoresOf(unit: Unit, month: string, of: readonly ScoredMonth[]): Promise<void> {
  const settings = await performanceSettings(unit);
  const bands = await scoreBands(unit);
  const sheets = of.map(({ sheet_id: id }) => id);
  const updates = await unit.query<ScoredUpdate & { sheet_id: number }>(
    `select sheet_id, achievement::text, weight::text, threshold_percent::text, cap_percent::text, stretch_percent::text, not_applicable, counts,
       status = 'frozen' as frozen
     from {kpi_actual} where sheet_id = any($1) and month = $2 and active and weight > 0`,
    [sheets, month],
  );
  const bySheet = Map.groupBy(updates, ({ sheet_id: id }) => id);
  const before = (isSame: string) =>
    `array(select b.score::text from {kpi_score} b where ${isSame} and b.month < $2 and b.score is not null and b.active
       order by b.month desc limit 3)`;
  const stored = await unit.query<Stored>(
    `select t.id as sheet_id, s.id, s.frozen, coalesce(t.responsible_id, t.employee_id) as responsible_id,
       case when t.employee_id is null then ${before(sameUnit('b', 't'))} else ${before(sameMember('b', 't'))} end as before
     from {kpi_sheet} t left join {kpi_score} s on s.sheet_id = t.id and s.month = $2 and s.active
     where t.id = any($1)`,
    [sheets, month],
  );
  const known = new Map(stored.map((row) => [row.sheet_id, row]));
  const rows = of.flatMap((one) => {
    const row = known.get(one.sheet_id);
    const result = scoreOfMonth(bySheet.get(one.sheet_id) ?? [], settings);
    if (!row || row.frozen || result === null) return [];
    const { score, covered, isFrozen } = result;
    const band = score === null ? null : (bandOf(score, bands)?.label ?? null);
    const trend = score === null ? null : trendOf(score, row.before);
    // Somebody else may enter the figure.
    const owner = { ...one, responsible_id: row.responsible_id };
    return [{ id: row.id, of: owner, values: { score, covered, band, trend, frozen: isFrozen } }];
  });
  await unit.changeMany(
    'kpi_score',
    rows.flatMap(({ id, values }) => (id === null ? [] : [{ id, set: values }])),
  );
  const fresh = rows.filter(({ id }) => id === null);
  if (fresh.length > 0)
    await unit.createMany(
      'kpi_score',
      fresh.map(({ of: one, values }) => ({ ...values, ...one })),
    );
}

/**
 * Stores the scores of many sheets and months. Earlier months come first, because a trend looks at the months before; a
 * frozen score never changes.
 */
export async function storeMonthScores(unit: Unit, of: readonly ScoredMonth[]): Promise<void> {
  const sheets = [...new Set(of.map(({ sheet_id: id }) => id))];
  await unit.lock(sheets.map((id) => ({ type: 'kpi_sheet', id })));
  const byMonth = [...Map.groupBy(of, ({ month }) => month)].toSorted(([a], [b]) => a.localeCompare(b));
  for (const [month, some] of byMonth) await storeScoresOf(unit, month, some);
}
