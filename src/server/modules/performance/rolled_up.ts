import type { RollUp } from '../../../domain/performance/roll_up.ts';
import { rollUp } from '../../../domain/performance/roll_up.ts';
import { Decimal } from 'decimal.js';
import type { Unit } from '../../engine/records/unit.ts';
import type { CalculatedUpdate } from './calculated_figure.ts';
import { storeFigure } from './calculated_figure.ts';

/** A KPI of a sheet into which other sheets count. */
interface Place {
  sheet_id: number;
  kpi_id: number;
}

interface Parent extends CalculatedUpdate, Place, Record<string, unknown> {
  month: string;
  target: string | null;
  /** The sheet that it counts into itself. */
  parent_sheet_id: number | null;
  method: RollUp;
  rolls_target: boolean;
}

interface Leaf extends Record<string, unknown> {
  value: string | null;
  target: string | null;
  weight: string | null;
  counts: boolean;
  not_applicable: boolean;
  at: string;
}

/** Updates of a sheet's KPI that follow from the sheets below and are not frozen; of one month or of all. */
function parentsOf(unit: Unit, { sheet_id: sheet, kpi_id: kpi }: Place, month: string | null): Promise<Parent[]> {
  return unit.query<Parent>(
    `select a.id, a.sheet_id, a.kpi_id, a.month, a.value::text, a.remark, a.counts, a.target::text, a.parent_sheet_id,
       k.org_rollup as method, k.target_rollup = 'rollup' as rolls_target
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where a.sheet_id = $1 and a.kpi_id = $2 and a.source = 'rollup' and a.status <> 'frozen' and a.active and k.org_rollup <> 'none'
       and ($3::text is null or a.month = $3) order by a.month`,
    [sheet, kpi, month],
  );
}

/** The figures entered below an update, over all levels. */
function leavesOf(unit: Unit, { sheet_id: sheet, kpi_id: kpi, month }: Parent): Promise<Leaf[]> {
  return unit.query<Leaf>(
    `with recursive below as (
       select a.sheet_id, a.source, a.value, a.target, a.counts, a.not_applicable, a.updated_at from {kpi_actual} a
       where a.parent_sheet_id = $1 and a.kpi_id = $2 and a.month = $3 and a.active
       union all
       select a.sheet_id, a.source, a.value, a.target, a.counts, a.not_applicable, a.updated_at from below b
       join {kpi_actual} a on a.parent_sheet_id = b.sheet_id and a.kpi_id = $2 and a.month = $3 and a.active
       where b.source = 'rollup')
     select b.value::text, b.target::text, b.counts, b.not_applicable, b.updated_at::text as at, (
         select w.value::text from {kpi_actual} w join {kpi} k on k.id = $2 and w.kpi_id = k.weight_kpi_id
         where w.sheet_id = b.sheet_id and w.month = $3 and w.active and w.counts) as weight
     from below b where b.source <> 'rollup'`,
    [sheet, kpi, month],
  );
}

/** Computes one update from the sheets below it. */
async function compute(unit: Unit, parent: Parent): Promise<void> {
  const leaves = (await leavesOf(unit, parent)).filter(({ counts, not_applicable: isNone }) => !(counts && isNone));
  const entered = leaves.flatMap((leaf) =>
    leaf.counts && leaf.value !== null ? [{ ...leaf, value: leaf.value }] : [],
  );
  if (parent.rolls_target) {
    const goals = leaves.flatMap((leaf) => (leaf.target === null ? [] : [{ ...leaf, value: leaf.target }]));
    const target = rollUp(goals, parent.method === 'weighted' ? 'average' : parent.method);
    const isSame =
      target === null || parent.target === null ? target === parent.target : new Decimal(target).equals(parent.target);
    if (!isSame) await unit.update('kpi_actual', parent.id, { target });
  }
  const remark =
    entered.length === leaves.length ? null : `${entered.length} of ${leaves.length} figures below are approved.`;
  await storeFigure(unit, parent, rollUp(entered, parent.method), remark);
}

/**
 * Computes what follows from the sheets that count into a sheet's KPI, and from there upwards: of each level the figures
 * that were entered, so that any level is exact.
 */
export async function rollUpInto(unit: Unit, place: Place, month: string | null): Promise<void> {
  for (const parent of await parentsOf(unit, place, month)) {
    await compute(unit, parent);
    if (parent.parent_sheet_id !== null)
      await rollUpInto(unit, { sheet_id: parent.parent_sheet_id, kpi_id: parent.kpi_id }, parent.month);
  }
}

const IN_FORCE = ['approved', 'acknowledged', 'disputed'];

/** KPIs of a sheet that other sheets count into: those in force, or also those that are still prepared. */
export async function kpisBelow(unit: Unit, sheet: number, which: 'in force' | 'all'): Promise<Set<number>> {
  const rows = await unit.query<{ kpi_id: number }>(
    `select distinct l.kpi_id from {kpi_sheet.lines} l join {kpi_sheet} s on s.id = l.parent_id join {kpi} k on k.id = l.kpi_id
     where l.parent_sheet_id = $1 and k.org_rollup <> 'none' and s.active and s.status = any($2)`,
    [sheet, which === 'all' ? ['draft', 'submitted', ...IN_FORCE] : IN_FORCE],
  );
  return new Set(rows.map(({ kpi_id: id }) => id));
}

/** Updates of a sheet into which another now counts are no longer entered. */
export async function followBelow(unit: Unit, { sheet_id: sheet, kpi_id: kpi }: Place): Promise<void> {
  const updates = await unit.query<{ id: number }>(
    `select id from {kpi_actual} where sheet_id = $1 and kpi_id = $2 and active and source in ('manual', 'system')
       and status in ('to_enter', 'returned')`,
    [sheet, kpi],
  );
  for (const { id } of updates)
    await unit.update('kpi_actual', id, { source: 'rollup', needs_approval: false, entries: [], value: null });
}
