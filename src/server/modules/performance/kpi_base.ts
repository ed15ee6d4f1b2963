import { yearName, yearSpan } from '../../../descriptor/financial_year.ts';
import type { Aggregation, SheetFigures } from '../../../domain/performance/over_time.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { WHOLE } from './line_part.ts';
import { sheetFiguresSql } from './sheet_figures.ts';
import { startMonthOf } from './sheet_lines.ts';
import { belongsTo, ownerOf } from './sheet_owner.ts';

/** How a base is found, by Base performance in Settings. */
export interface BaseSettings {
  base_year: string | null;
  base_method: 'last_year' | 'average_3_years' | 'entered';
  growth_default: string | null;
}

/** The current company's settings for bases, with the shipped defaults. */
export async function baseSettings(unit: Unit): Promise<BaseSettings> {
  const [row] = await unit.query<Partial<BaseSettings>>(
    `select base_year, coalesce(base_method, 'last_year') as base_method, growth_default::text from {base_performance}
     where entity_id = $1 order by id limit 1`,
    [unit.session.entityId],
  );
  return { base_year: null, base_method: 'last_year', growth_default: null, ...row };
}

/** A KPI of a member; of a unit, the member is null. */
interface Owned extends Record<string, unknown> {
  employee_id: number | null;
  kpi_id: number;
  part_key: string;
}
interface Actual extends Owned {
  year: number;
  value: string;
  aggregation: Aggregation;
  code: string;
  around: SheetFigures | null;
}

/** Whose bases are looked for: a condition on `alias`, whose values begin with `$first`. */
type Whose = (alias: string, first: number) => { sql: string; values: unknown[] };

/** The key of a base. @param part of a line by parts its key */
export const baseKey = (employee: unknown, kpi: unknown, part: string = WHOLE): string =>
  `${String(employee ?? 'unit')} ${String(kpi)} ${part}`;

/** Several members. */
export const ofMembers =
  (employees: readonly number[]): Whose =>
  (alias, first) => ({ sql: `${alias}.employee_id = any($${first})`, values: [employees] });

/** The member or the unit of a sheet. */
export const ofOwner =
  (unit: Unit, sheet: Readonly<Record<string, unknown>>): Whose =>
  (alias, first) =>
    belongsTo(alias, ownerOf(sheet), unit.session.entityId, first);

/** The approved actuals of some years as bases: of one year, or the mean of several, each aggregated as the KPI is. */
async function computedBases(unit: Unit, whose: Whose, kpis: readonly number[], span: { from: string; to: string }) {
  const { sql, values } = whose('a', 5);
  const rows = await unit.query<Actual>(
    `select a.employee_id, a.kpi_id, a.part_key, extract(year from a.ends_on - make_interval(months => $4))::int as year, a.value::text,
       k.period_aggregation as aggregation, k.code, ${sheetFiguresSql()} as around
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where ${sql} and a.kpi_id = any($1) and a.active and a.counts and a.value is not null
       and a.ends_on between $2 and $3 order by a.month`,
    [kpis, span.from, span.to, (await startMonthOf(unit)) - 1, ...values],
  );
  return [...Map.groupBy(rows, (row) => baseKey(row.employee_id, row.kpi_id, row.part_key))].flatMap(([key, own]) => {
    const years = [...Map.groupBy(own, (row) => row.year).values()].map((some) => ({
      actual: overTime(
        some.map(({ value, around }) => ({ actual: value, target: null, around })),
        some[0]!.aggregation,
        some[0]!.code,
      ).actual,
      target: null,
    }));
    const base = overTime(years, 'average').actual;
    return base === null ? [] : [[key, base] as const];
  });
}

/**
 * The bases for a year's targets (§5.10), by `baseKey`: the baselines that were entered for the base year, otherwise its
 * approved actuals, or the mean of the three years up to it. @param year 2026-2027
 */
export async function basesFor(
  unit: Unit,
  year: string,
  { whose, kpis }: { whose: Whose; kpis: readonly number[] },
  { base_year: baseYear, base_method: method }: BaseSettings,
): Promise<Map<string, string>> {
  if (kpis.length === 0) return new Map();
  const startMonth = await startMonthOf(unit);
  const last = baseYear === null || method === 'entered' ? Number(year.slice(0, 4)) - 1 : Number(baseYear.slice(0, 4));
  const first = method === 'average_3_years' ? last - 2 : last;
  const { sql, values } = whose('b', 3);
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{kpi_baseline}') is not null as there`);
  const entered = known!.there
    ? await unit.query<Omit<Owned, 'part_key'> & { value: string }>(
        `select b.employee_id, b.kpi_id, b.value::text from {kpi_baseline} b
         where ${sql} and b.kpi_id = any($1) and b.active and b.base_year = $2`,
        [kpis, yearName(last), ...values],
      )
    : [];
  const span = { from: yearSpan(first, startMonth).from, to: yearSpan(last, startMonth).to };
  return new Map([
    ...(method === 'entered' ? [] : await computedBases(unit, whose, kpis, span)),
    ...entered.map((one) => [baseKey(one.employee_id, one.kpi_id), one.value] as const),
  ]);
}
