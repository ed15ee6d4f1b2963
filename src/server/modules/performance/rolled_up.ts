import type { RollUp } from '../../../domain/performance/roll_up.ts';
import { rollUp } from '../../../domain/performance/roll_up.ts';
import { Decimal } from 'decimal.js';
import type { Unit } from '../../engine/records/unit.ts';
import type { CalculatedUpdate } from './calculated_figure.ts';
import { storeFigures } from './calculated_figure.ts';
import { WHOLE, intoPartSql, placeKey } from './line_part.ts';

/** A KPI of a sheet, or a part of it, into which other sheets count. */
export interface Place {
  sheet_id: number;
  kpi_id: number;
  part_key: string;
}

interface Parent extends CalculatedUpdate, Record<string, unknown> {
  target: string | null;
  frozen: boolean;
  method: RollUp;
  rolls_target: boolean;
}

interface Leaf extends Record<string, unknown> {
  /** The update that it counts into. */
  top: number;
  value: string | null;
  target: string | null;
  weight: string | null;
  counts: boolean;
  not_applicable: boolean;
  /** Entered beside what follows from the sheets below. */
  is_own: boolean;
  at: string;
}

/** Levels of sheets that a figure may pass. */
const MAX_LEVELS = 20;

/** A sheet's KPI that follows from the sheets below, and what it counts into itself, over all levels; of one month or of all. */
const ABOVE = `above as (
    select a.id, a.sheet_id, a.kpi_id, a.part_key, a.month, a.parent_sheet_id, a.into_part_key, 1 as level from {kpi_actual} a
    where a.sheet_id = $1 and a.kpi_id = $2 and a.part_key = $4 and a.source = 'rollup' and a.active and ($3::text is null or a.month = $3)
    union all
    select a.id, a.sheet_id, a.kpi_id, a.part_key, a.month, a.parent_sheet_id, a.into_part_key, b.level + 1 from above b
    join {kpi_actual} a on a.sheet_id = b.parent_sheet_id and a.kpi_id = b.kpi_id and a.part_key = b.into_part_key and a.month = b.month
      and a.source = 'rollup' and a.active
    where b.level < ${MAX_LEVELS})`;

/** These updates, the lowest first. */
function parentsOf(
  unit: Unit,
  { sheet_id: sheet, kpi_id: kpi, part_key: part }: Place,
  month: string | null,
): Promise<Parent[]> {
  return unit.query<Parent>(
    `with recursive ${ABOVE}
     select a.id, a.value::text, a.remark, a.counts, a.target::text, a.status = 'frozen' as frozen, k.org_rollup as method,
       k.target_rollup = 'rollup' as rolls_target
     from above o join {kpi_actual} a on a.id = o.id join {kpi} k on k.id = a.kpi_id
     where k.org_rollup <> 'none' order by o.level, a.month`,
    [sheet, kpi, month, part],
  );
}

/** The figures entered below each of them over all levels, with their own approved figures. */
function leavesOf(
  unit: Unit,
  { sheet_id: sheet, kpi_id: kpi, part_key: part }: Place,
  month: string | null,
): Promise<Leaf[]> {
  return unit.query<Leaf>(
    `with recursive ${ABOVE}, below as (
       select o.id as top, 0 as level, o.id, o.sheet_id, o.kpi_id, o.part_key, o.month, 'rollup'::text as source from above o
       union all
       select b.top, b.level + 1, a.id, a.sheet_id, a.kpi_id, a.part_key, a.month, a.source from below b
       join {kpi_actual} a on a.parent_sheet_id = b.sheet_id and a.kpi_id = b.kpi_id and a.into_part_key = b.part_key and a.month = b.month
         and a.active
       where b.source = 'rollup' and b.level < ${MAX_LEVELS})
     select b.top, x.value::text, x.target::text, x.counts, x.not_applicable, x.is_own, a.updated_at::text as at,
       case when k.weight_kpi_id is not null then (
           select case when x.is_own then w.own_value else w.value end::text from {kpi_actual} w
           where w.sheet_id = b.sheet_id and w.kpi_id = k.weight_kpi_id and w.part_key in (b.part_key, '${WHOLE}') and w.month = b.month
             and w.active and case when x.is_own then w.own_status = 'approved' else w.counts end
           order by w.part_key = b.part_key desc limit 1)
         when x.is_own then '1' else coalesce(a.contribution_weight, 1)::text end as weight
     from below b join {kpi_actual} a on a.id = b.id join {kpi} k on k.id = a.kpi_id
     cross join lateral (
       select a.value, a.target, a.counts, a.not_applicable, false as is_own where b.source <> 'rollup'
       union all
       select a.own_value, null, true, false, true where b.source = 'rollup' and a.own_status = 'approved') x`,
    [sheet, kpi, month, part],
  );
}

/** What an update should be, from the figures below it. */
function figureOf(parent: Parent, all: readonly Leaf[]) {
  const leaves = all.filter(({ counts, not_applicable: isNone }) => !(counts && isNone));
  const entered = leaves.flatMap((leaf) =>
    leaf.counts && leaf.value !== null ? [{ ...leaf, value: leaf.value }] : [],
  );
  const goals = leaves.flatMap((leaf) => (leaf.target === null ? [] : [{ ...leaf, value: leaf.target }]));
  const below = leaves.filter(({ is_own: isOwn }) => !isOwn).length;
  const approved = entered.filter(({ is_own: isOwn }) => !isOwn).length;
  return {
    target: parent.rolls_target
      ? rollUp(goals, parent.method === 'weighted' ? 'average' : parent.method)
      : parent.target,
    figure: {
      update: parent,
      value: rollUp(entered, parent.method),
      remark: approved === below ? null : `${approved} of ${below} figures below are approved.`,
    },
  };
}

/**
 * Computes what follows from the sheets that count into a sheet's KPI, and from there upwards: of each level the figures
 * that were entered, so that any level is exact. What is frozen stays.
 */
export async function rollUpInto(unit: Unit, place: Place, month: string | null): Promise<void> {
  const parents = (await parentsOf(unit, place, month)).filter(({ frozen }) => !frozen);
  if (parents.length === 0) return;
  const leaves = Map.groupBy(await leavesOf(unit, place, month), ({ top }) => top);
  const computed = parents.map((parent) => ({ parent, ...figureOf(parent, leaves.get(parent.id) ?? []) }));
  const isSame = (one: string | null, other: string | null) =>
    one === null || other === null ? one === other : new Decimal(one).equals(other);
  await unit.changeMany(
    'kpi_actual',
    computed.flatMap(({ parent, target }) =>
      isSame(target, parent.target) ? [] : [{ id: parent.id, set: { target } }],
    ),
  );
  await storeFigures(
    unit,
    computed.map(({ figure }) => figure),
  );
}

const IN_FORCE = ['approved', 'acknowledged', 'disputed'];

/**
 * KPIs of a sheet, or parts of them, that other sheets count into, by `placeKey`: those in force, or also those that are
 * still prepared.
 */
export async function kpisBelow(unit: Unit, sheet: number, which: 'in force' | 'all'): Promise<Map<string, Place>> {
  const rows = await unit.query<{ kpi_id: number; part_key: string }>(
    `select distinct l.kpi_id, ${intoPartSql('l', '{kpi_sheet.lines}')} as part_key from {kpi_sheet.lines} l join {kpi_sheet} s on s.id = l.parent_id join {kpi} k on k.id = l.kpi_id
     where l.parent_sheet_id = $1 and k.org_rollup <> 'none' and s.active and s.status = any($2)`,
    [sheet, which === 'all' ? ['draft', 'submitted', ...IN_FORCE] : IN_FORCE],
  );
  return new Map(rows.map((row) => [placeKey(row.kpi_id, row.part_key), { sheet_id: sheet, ...row }]));
}

/** Updates of a sheet into which another now counts are no longer entered, from a month on. */
export async function followBelow(
  unit: Unit,
  { sheet_id: sheet, kpi_id: kpi, part_key: part }: Place,
  from: string | null = null,
): Promise<void> {
  const updates = await unit.query<{ id: number }>(
    `select id from {kpi_actual} where sheet_id = $1 and kpi_id = $2 and part_key = $4 and active and source in ('manual', 'system')
       and status in ('to_enter', 'returned') and ($3::text is null or month >= $3)`,
    [sheet, kpi, from, part],
  );
  await unit.changeMany(
    'kpi_actual',
    updates.map(({ id }) => ({ id, set: { source: 'rollup', needs_approval: false, entries: [], value: null } })),
  );
}
