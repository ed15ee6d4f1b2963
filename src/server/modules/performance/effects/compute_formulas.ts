import type { Look } from '../../../../domain/performance/kpi_formula.ts';
import { kpiFormula } from '../../../../domain/performance/kpi_formula.ts';
import type { Aggregation, SheetFigures } from '../../../../domain/performance/over_time.ts';
import { overTime } from '../../../../domain/performance/over_time.ts';
import { treeTable } from '../../../db/names.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { CalculatedUpdate } from '../calculated_figure.ts';
import { storeFigures } from '../calculated_figure.ts';
import type { Frequency } from '../kpi_months.ts';
import { MONTHS_OF, addMonths } from '../kpi_months.ts';
import { WHOLE } from '../line_part.ts';
import { sheetFiguresSql } from '../sheet_figures.ts';
import { startMonthOf } from '../sheet_lines.ts';
import type { SheetOwner } from '../sheet_owner.ts';
import { belongsTo, ownerColumns, ownerOf } from '../sheet_owner.ts';

/** Months that a formula may look back. */
const BACK = 36;

/** An update whose KPI is calculated. */
interface Calculated extends CalculatedUpdate, SheetOwner {
  part_key: string;
  month: string;
  formula: string;
  frequency: Frequency;
}

/** What is approved of a KPI in a month. */
interface Figure {
  code: string;
  part_key: string;
  month: string;
  value: string;
  target: string | null;
  aggregation: Aggregation;
  around: SheetFigures | null;
}

/** Calculated updates that may look at the KPI of an update: of its owner, of a later month, and of those above a member. */
function dependents(unit: Unit, owner: SheetOwner, month: string): Promise<Calculated[]> {
  const whose = belongsTo('a', owner, unit.session.entityId, 4);
  const tree = treeTable(unit.session.tenant.schema, 'employee');
  return unit.query<Calculated>(
    `select a.id, ${ownerColumns('a')}, a.part_key, a.month, k.formula, k.frequency, a.value::text, a.remark, a.counts
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where ((${whose.sql}) or a.employee_id in (select t.ancestor_id from ${tree} t where t.descendant_id = $1)) and a.source = 'formula' and a.active and a.status <> 'frozen' and k.formula is not null and a.month between $2 and $3
     order by a.month, a.id`,
    [owner.employee_id, month, addMonths(month, BACK), ...whose.values],
  );
}

/** What is approved of some KPIs of an update's owner, or of everybody below the member. */
function figuresOf(unit: Unit, owner: SheetOwner, codes: readonly string[], month: string, isTeam: boolean) {
  const whose = belongsTo('a', owner, unit.session.entityId, 5);
  const tree = treeTable(unit.session.tenant.schema, 'employee');
  return unit.query<Figure>(
    `select k.code, a.part_key, a.month, a.value::text, a.target::text, k.period_aggregation as aggregation, ${sheetFiguresSql()} as around
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where ${
       isTeam
         ? `a.employee_id <> $1 and a.employee_id in (select t.descendant_id from ${tree} t where t.ancestor_id = $1)`
         : `$1::bigint is not distinct from a.employee_id and ${whose.sql}`
     } and a.counts and a.active and not a.not_applicable and a.value is not null and k.code = any($2) and a.month between $3 and $4
     order by a.month, a.id`,
    [owner.employee_id, codes, addMonths(month, -BACK), month, ...(isTeam ? [] : whose.values)],
  );
}

/** The value of one look of a formula, for a period by its last month and its months. */
function valueOf(
  { view, code, count }: Look,
  { month, months, yearStart }: { month: string; months: number; yearStart: string },
  { own, team }: { own: readonly Figure[]; team: readonly Figure[] },
): string | null {
  const at = (when: string) => own.findLast((one) => one.code === code && one.month === when);
  const between = (from: string) => own.filter((one) => one.code === code && one.month >= from && one.month <= month);
  const together = (figures: readonly Figure[], aggregation: Aggregation | undefined) =>
    aggregation === undefined
      ? null
      : overTime(
          figures.map(({ value, target, around }) => ({ actual: value, target, around })),
          aggregation,
          code,
        );
  switch (view) {
    case 'value':
    case 'target': {
      const last = at(month);
      const period = months === 1 ? null : together(between(addMonths(month, 1 - months)), last?.aggregation);
      return view === 'value' ? (period?.actual ?? last?.value ?? null) : (period?.target ?? last?.target ?? null);
    }
    case 'prev':
      return at(addMonths(month, -count))?.value ?? null;
    case 'sply':
      return at(addMonths(month, -12))?.value ?? null;
    case 'ytd':
      return together(between(yearStart), at(month)?.aggregation)?.actual ?? null;
    case 'sum_of':
    case 'avg_of': {
      const found = between(addMonths(month, 1 - count));
      return found.length < count ? null : together(found, view === 'sum_of' ? 'sum' : 'average')!.actual;
    }
    case 'team': {
      const members = team.filter((one) => one.code === code && one.month === month);
      return together(members, members[0] && (members[0].aggregation === 'sum' ? 'sum' : 'average'))?.actual ?? null;
    }
  }
}

/** Of each KPI the figures of the same part; where it has no lines by parts, those of the whole. */
function samePart(figures: readonly Figure[], part: string): Figure[] {
  const codes = new Set(figures.flatMap((one) => (one.part_key === part ? [one.code] : [])));
  return figures.filter((one) => one.part_key === (codes.has(one.code) ? part : WHOLE));
}

/** Computes one update anew; what it cannot compute is no zero: it waits, and says why. */
async function compute(unit: Unit, update: Calculated, yearStart: string): Promise<void> {
  const formula = kpiFormula(update.formula);
  if ('wrong' in formula) return;
  const codes = [...new Set(formula.looks.map(({ code }) => code))];
  const isTeam = formula.looks.some(({ view }) => view === 'team');
  const own = samePart(await figuresOf(unit, update, codes, update.month, false), update.part_key);
  const team = isTeam ? await figuresOf(unit, update, codes, update.month, true) : [];
  const result = formula.compute((look) =>
    valueOf(look, { month: update.month, months: MONTHS_OF[update.frequency], yearStart }, { own, team }),
  );
  const value = 'value' in result ? result.value : null;
  const remark = 'value' in result ? null : `Not computable: ${result.reason}.`;
  await storeFigures(unit, [{ update, value, remark }]);
}

/** Calculates the KPIs that look at the one whose update was approved or reopened; theirs follow by their own steps (§5.8). */
export const computeFormulas: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const month = String(record.month);
    const [kpi] = await unit.query<{ code: string }>('select code from {kpi} where id = $1', [record.kpi_id]);
    const found = (await dependents(unit, ownerOf(record), month)).filter(({ id, formula, employee_id: owner }) => {
      const read = kpiFormula(formula);
      return (
        id !== record.id &&
        !('wrong' in read) &&
        read.looks.some(
          ({ code, view }) => code === kpi?.code && (view === 'team') === (owner !== (record.employee_id ?? null)),
        )
      );
    });
    if (found.length === 0) return;
    const start = await startMonthOf(unit);
    for (const update of found) {
      const place = (Number(update.month.slice(5)) - start + 12) % 12;
      await compute(unit, update, addMonths(update.month, -place));
    }
  },
};
