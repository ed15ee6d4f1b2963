import { Decimal } from 'decimal.js';
import { changedTargets } from '../../../domain/performance/phasing.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { equalsBase, numberOf } from './sheet_lines.ts';
import { decimalErrors } from './unit_decimals.ts';

/** The target of a KPI in a period of a sheet. */
export interface SheetPeriod extends Record<string, unknown> {
  id: number;
  month: string;
  target: string | null;
  base_value: string | null;
  status: string;
  part_key: string;
}

interface Kpi extends Record<string, unknown> {
  name: string;
  is_sum: boolean;
  decimals: number;
  /** The code of its unit. */
  unit: string;
  needs_number: boolean;
  is_from_base: boolean;
}

/** A changed target as its document stores it. */
export interface ChangedPeriod extends Record<string, unknown> {
  month: string;
  old_target: string | null;
  new_target: string;
}

/** A record with `sheet_id`, `kpi_id` and, where the KPI is on the sheet by parts, the name of the `part`. */
type ChangedLine = Readonly<Record<string, unknown>>;

/** The periods of a line of a sheet, in order. */
export const periodsOfLine = (
  unit: Unit,
  { sheet_id: sheet, kpi_id: kpi, part }: ChangedLine,
): Promise<SheetPeriod[]> =>
  unit.query<SheetPeriod>(
    `select id, month, target::text, base_value::text, status, part_key from {kpi_actual}
     where sheet_id = $1 and kpi_id = $2 and lower(coalesce(part, '')) = lower($3) and active order by month`,
    [sheet, kpi, numberOf(part)?.trim() ?? ''],
  );

/** The parts by which a KPI is on an approved sheet, by name. */
async function partsOnSheet(unit: Unit, { sheet_id: sheet, kpi_id: kpi }: ChangedLine): Promise<string[]> {
  const rows = await unit.query<{ part: string }>(
    'select distinct part from {kpi_actual} where sheet_id = $1 and kpi_id = $2 and part is not null and active order by 1',
    [sheet, kpi],
  );
  return rows.map(({ part }) => part);
}

/** What a change makes of the targets of a line; `wrong` says why it cannot, at a field. */
export async function plannedTargets(
  unit: Unit,
  change: Readonly<Record<string, unknown>>,
): Promise<{ wrong: string; field?: string } | { old: string; rows: ChangedPeriod[] }> {
  const total = numberOf(change.new_total);
  const [kpi] = await unit.query<Kpi>(
    `select k.name, k.period_aggregation = 'sum' as is_sum, coalesce(k.decimals, 0)::int as decimals, u.code as unit,
       k.achievement_method not in ('milestone', 'binary', 'range') as needs_number, k.achievement_method = 'base_to_target' as is_from_base
     from {kpi} k join {uom} u on u.id = k.uom_id where k.id = $1`,
    [change.kpi_id],
  );
  if (!kpi || total === null) return { wrong: 'Choose the KPI and enter its new target.' };
  const periods = await periodsOfLine(unit, change);
  if (periods.length === 0) {
    const parts = await partsOnSheet(unit, change);
    return parts.length > 0
      ? { wrong: `${kpi.name} is on this sheet for: ${parts.join('; ')}. Enter one of these.`, field: 'part' }
      : { wrong: `${kpi.name} is not on this sheet, or the sheet is not approved.` };
  }
  if (!kpi.needs_number) return { wrong: `${kpi.name} has no numeric target.` };
  const [tooFine] = decimalErrors(kpi, [{ field: 'new_total', value: total }]);
  if (tooFine) return { wrong: tooFine.message };
  const from = String(change.from_month);
  const later = periods.filter(({ month }) => month >= from);
  if (later.length === 0) return { wrong: `The sheet has no period of ${kpi.name} from then on.` };
  const targets = changedTargets(periods, from, total, { isSum: kpi.is_sum, decimals: kpi.decimals });
  if (targets === null) return { wrong: 'The targets of the months before exceed the new total.' };
  const isBase = periods.some(
    ({ month, base_value: base }, at) => month >= from && base !== null && new Decimal(targets[at]!).equals(base),
  );
  if (kpi.is_from_base && isBase) return { wrong: equalsBase(kpi.name) };
  const old = kpi.is_sum ? changedTotal(periods) : (periods.find(({ month }) => month >= from)?.target ?? '0');
  return {
    old,
    rows: periods.flatMap(({ month, target }, at) =>
      month < from ? [] : [{ month, old_target: target, new_target: targets[at]! }],
    ),
  };
}

const changedTotal = (periods: readonly SheetPeriod[]): string =>
  periods.reduce((sum, { target }) => sum.plus(target ?? 0), new Decimal(0)).toFixed();
