import { Decimal } from 'decimal.js';
import type { Unit } from '../../engine/records/unit.ts';
import type { ScoredMonth } from './month_score.ts';
import type { ScoredUpdate } from './month_score.ts';
import { scoreOfMonth } from './month_score.ts';
import { LOCK_OF_UPDATE } from './period_lock.ts';
import { performanceSettings } from './performance_settings.ts';
import { ownerOf } from './sheet_owner.ts';
import type { KpiMeasure, UpdateScore } from './update_score.ts';
import { updateScore } from './update_score.ts';

const SHEETS_PER_STEP = 200;

interface Update extends ScoredMonth, ScoredUpdate, UpdateScore, KpiMeasure {
  id: number;
  kpi: string;
  member: string;
  /** The state of its period. */
  period: string | null;
}

/** The stored score of a month; without one, what is stored is empty. */
interface Score extends Record<string, unknown> {
  sheet_id: number;
  month: string;
  score: string | null;
  covered: string;
  frozen: boolean;
}

/** A figure that is not frozen and differs from what its inputs give now. */
export interface Difference {
  /** What it is of: Asha Rao, SALES, 2026-10. */
  of: string;
  stored: string | null;
  computed: string | null;
  month: ScoredMonth;
  /** The update and its figures; absent if the score of the month differs. */
  update?: { id: number; values: UpdateScore };
}

const FIGURES = ['achievement', 'score', 'weighted', 'colour'] as const;

const isSame = (stored: string | null, computed: string | null): boolean =>
  stored === computed ||
  (stored !== null && computed !== null && !Number.isNaN(Number(stored)) && new Decimal(stored).equals(computed));

/** Sheets of a company with updates that are not frozen. @param kpi only those with this KPI */
export function openSheets(unit: Unit, company: number, after: unknown, kpi: number | null): Promise<{ id: number }[]> {
  return unit.query<{ id: number }>(
    // The limit makes PostgreSQL look sheet by sheet: almost all figures are frozen, and it would read them all each time.
    `select s.id from {kpi_sheet} s cross join lateral (
       select 1 from {kpi_actual} a
       where a.sheet_id = s.id and a.active and a.status <> 'frozen' and ($3::bigint is null or a.kpi_id = $3) limit 1) a
     where s.entity_id = $1 and s.active and s.id > $2 order by s.id limit ${SHEETS_PER_STEP}`,
    [company, after ?? 0, kpi],
  );
}

/** Computes the open figures of some sheets anew: those that differ, updates before the scores of their months. */
export async function openDifferences(unit: Unit, sheets: readonly number[], today: string): Promise<Difference[]> {
  const settings = await performanceSettings(unit);
  // A milestone that is not done gets later each day: its figures are those of the day of its last change.
  const updates = await unit.query<Update>(
    `select a.*, a.value::text, a.target::text, a.base_value::text, a.range_low::text, a.range_high::text, a.weight::text,
       a.threshold_percent::text, a.cap_percent::text, a.stretch_percent::text, a.achievement::text, a.score::text, a.weighted::text,
       a.ends_on::text, a.target_day::text, a.done_on::text, a.status = 'frozen' as frozen, ${LOCK_OF_UPDATE} as period, coalesce(e.name, a.unit_name) as member, k.code as kpi,
       k.direction, coalesce(a.tolerance, k.tolerance)::text as tolerance,
       case when a.method = 'slab' then coalesce((select jsonb_agg(jsonb_build_object('from', s.from_percent::text, 'to', s.to_percent::text,
         'achievement', s.achievement::text) order by s.from_percent) from {kpi.slabs} s where s.parent_id = k.id), '[]') else '[]' end as slabs
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id left join {employee} e on e.id = a.employee_id
     where a.sheet_id = any($1) and a.active and exists (
       select 1 from {kpi_actual} o
       where o.sheet_id = any($1) and o.sheet_id = a.sheet_id and o.month = a.month and o.active and o.status <> 'frozen')
     order by a.sheet_id, a.month, a.id`,
    [sheets],
  );
  const scores = await unit.query<Score>(
    'select sheet_id, month, score::text, covered::text, frozen from {kpi_score} where sheet_id = any($1) and active',
    [sheets],
  );
  const stored = new Map(scores.map((score) => [`${score.sheet_id} ${score.month}`, score]));
  const found: Difference[] = [];
  for (const [key, own] of Map.groupBy(updates, ({ sheet_id: sheet, month }) => `${sheet} ${month}`)) {
    const { sheet_id, month, member } = own[0]!;
    const ofMonth: ScoredMonth = { ...ownerOf(own[0]!), sheet_id, month };
    const before = found.length;
    const now = own.map((update) => {
      const isWaiting = update.method === 'milestone' && update.done_on === null;
      if (update.frozen || isWaiting) return update;
      const values = updateScore(update, update, settings, today);
      const figure = FIGURES.find((name) => !isSame(update[name], values[name]));
      if (figure)
        found.push({
          of: `${figure} of ${member}, ${update.kpi}, ${month}`,
          stored: update[figure],
          computed: values[figure],
          month: ofMonth,
          update: { id: update.id, values },
        });
      return { ...update, ...values };
    });
    const known = stored.get(key);
    const computed = scoreOfMonth(now, settings);
    // The score of a reopened month stays as it was frozen until an update changes.
    const isReopened = own[0]!.period === 'reopened' && found.length === before;
    if (known?.frozen || isReopened || !computed) continue;
    if (!isSame(known?.score ?? null, computed.score) || (known && !isSame(known.covered, computed.covered)))
      found.push({
        of: `score of ${member}, ${month}`,
        stored: known?.score ?? null,
        computed: computed.score,
        month: ofMonth,
      });
  }
  return found;
}
