import { yearSpan } from '../../../descriptor/financial_year.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { startMonthOf } from './sheet_lines.ts';

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

/** A member's KPI. */
interface Owner extends Record<string, unknown> {
  employee_id: number;
  kpi_id: number;
}
interface Actual extends Owner {
  year: number;
  value: string;
  aggregation: Aggregation;
}

export const baseKey = (employee: unknown, kpi: unknown): string => `${String(employee)} ${String(kpi)}`;

/**
 * The bases for a year's targets (§5.10), by `baseKey`: the approved actuals of the base year, or the mean of the three
 * years up to it, each aggregated as the KPI is. @param year 2026-2027
 */
export async function basesFor(
  unit: Unit,
  year: string,
  { employees, kpis }: { employees: readonly number[]; kpis: readonly number[] },
  { base_year: baseYear, base_method: method }: BaseSettings,
): Promise<Map<string, string>> {
  if (method === 'entered' || employees.length === 0 || kpis.length === 0) return new Map();
  const startMonth = await startMonthOf(unit);
  const last = baseYear === null ? Number(year.slice(0, 4)) - 1 : Number(baseYear.slice(0, 4));
  const first = method === 'average_3_years' ? last - 2 : last;
  const rows = await unit.query<Actual>(
    `select a.employee_id, a.kpi_id, extract(year from a.ends_on - make_interval(months => $5))::int as year, a.value::text,
       k.period_aggregation as aggregation
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where a.employee_id = any($1) and a.kpi_id = any($2) and a.active and a.counts and a.value is not null
       and a.ends_on between $3 and $4 order by a.month`,
    [employees, kpis, yearSpan(first, startMonth).from, yearSpan(last, startMonth).to, startMonth - 1],
  );
  const bases = new Map<string, string>();
  for (const [key, own] of Map.groupBy(rows, (row) => baseKey(row.employee_id, row.kpi_id))) {
    const years = [...Map.groupBy(own, (row) => row.year).values()].map((some) => ({
      actual: overTime(
        some.map(({ value }) => ({ actual: value, target: null })),
        some[0]!.aggregation,
      ).actual,
      target: null,
    }));
    const base = overTime(years, 'average').actual;
    if (base !== null) bases.set(key, base);
  }
  return bases;
}
