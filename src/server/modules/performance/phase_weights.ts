import type { Unit } from '../../engine/records/unit.ts';
import { worksOn } from '../../access/people/working_calendar.ts';
import { partKeyOf } from './line_part.ts';
import { daysAfter, lastDay, MONTHS_OF } from './kpi_months.ts';
import { belongsTo, ownerOf } from './sheet_owner.ts';
import type { LinePeriod, SheetKpi, SheetLine } from './sheet_lines.ts';

type Sheet = Readonly<Record<string, unknown>>;

/** Number of months of a period, by the index (0 to 11) of its last one. */
const placesOf = (kpi: SheetKpi, last: number): number[] => {
  const step = MONTHS_OF[kpi.frequency];
  return Array.from({ length: step }, (_, at) => last - step + 1 + at);
};

async function byProfile(unit: Unit, profileId: unknown, kpi: SheetKpi, places: readonly number[]): Promise<number[]> {
  const parts = await unit.query<{ frequency: string; no: number; percent: string }>(
    `select p.frequency, x.period_no as no, x.percent::text from {phasing_profile.parts} x join {phasing_profile} p on p.id = x.parent_id
     where p.id = $1`,
    [profileId],
  );
  const share = (place: number): number => {
    const isMonthly = parts[0]?.frequency !== 'quarterly';
    const no = isMonthly ? place + 1 : Math.floor(place / 3) + 1;
    // Whole numbers, so that the shares of quarters are exact.
    return Math.round(Number(parts.find((part) => part.no === no)?.percent ?? 0) * 10_000) * (isMonthly ? 3 : 1);
  };
  return places.map((last) => placesOf(kpi, last).reduce((sum, place) => sum + share(place), 0));
}

const yearBefore = (month: string): string => `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`;

async function byLastYear(
  unit: Unit,
  sheet: Sheet,
  { line, kpi, periods }: { line: SheetLine; kpi: SheetKpi; periods: readonly LinePeriod[] },
): Promise<string[]> {
  const whose = belongsTo('a', ownerOf(sheet), unit.session.entityId, 4);
  const rows = await unit.query<{ month: string; value: string }>(
    `select a.month, sum(a.value)::text as value from {kpi_actual} a
     where ${whose.sql} and a.kpi_id = $1 and a.part_key = $3 and a.active and a.counts and a.value > 0 and a.month = any($2)
     group by a.month`,
    [kpi.id, periods.map(({ month }) => yearBefore(month)), partKeyOf(line), ...whose.values],
  );
  return periods.map(({ month }) => rows.find((row) => row.month === yearBefore(month))?.value ?? '0');
}

async function byWorkingDays(
  unit: Unit,
  sheet: Sheet,
  kpi: SheetKpi,
  periods: readonly LinePeriod[],
): Promise<number[]> {
  const { entityId, tenant } = unit.session;
  const place = { entityId, branchId: (sheet.branch_id as number | null | undefined) ?? null };
  const works = await worksOn(tenant, place, String(sheet.valid_from), lastDay(periods.at(-1)!.month));
  const step = MONTHS_OF[kpi.frequency];
  return periods.map(({ month, endsOn }) => {
    const first = new Date(`${month}-01T00:00:00Z`);
    first.setUTCMonth(first.getUTCMonth() - step + 1);
    let count = 0;
    for (let day = first.toISOString().slice(0, 10); day <= endsOn; day = daysAfter(day, 1)) if (works(day)) count++;
    return count;
  });
}

/** The weights by which the annual target of a line is spread over its periods (performance.md §5.2). */
export async function phaseWeights(
  unit: Unit,
  sheet: Sheet,
  { line, kpi, periods }: { line: SheetLine; kpi: SheetKpi; periods: readonly LinePeriod[] },
): Promise<readonly (number | string)[]> {
  const weights: readonly (number | string)[] =
    line.phasing === 'profile'
      ? await byProfile(
          unit,
          line.phasing_profile_id,
          kpi,
          periods.map(({ column }) => Number(column.slice(1)) - 1),
        )
      : line.phasing === 'last_year'
        ? await byLastYear(unit, sheet, { line, kpi, periods })
        : line.phasing === 'working_days'
          ? await byWorkingDays(unit, sheet, kpi, periods)
          : periods.map(() => 1);
  if (weights.some((weight) => Number(weight) > 0)) return weights;
  const why =
    line.phasing === 'last_year'
      ? 'has no figures of last year to spread by.'
      : line.phasing === 'profile'
        ? 'has no profile with shares for these periods.'
        : 'has no working days in these periods.';
  return unit.refuse([{ field: 'lines', message: `${kpi.name} ${why} Spread it evenly.` }]);
}
