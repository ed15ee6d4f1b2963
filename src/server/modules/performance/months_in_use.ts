import type { Unit } from '../../engine/records/unit.ts';

/** Months whose figures may have been used. */
export interface UsedMonths {
  /** YYYY-MM. */
  from: string;
  to: string;
  /** null = of all departments. */
  department?: number | null;
  /** null = of all members. */
  employee?: number | null;
}

/** The numbers of documents of a type; a client without the types has none. */
async function numbersOf(unit: Unit, types: readonly string[], sql: string, values: unknown[]): Promise<string[]> {
  const [known] = await unit.query<{ all: boolean }>(
    `select ${types.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  if (!known!.all) return [];
  return (await unit.query<{ number: string }>(sql, values)).map(({ number }) => number);
}

/** Released appraisals and approved incentive runs that used the figures of months: three of each at most. */
export async function documentsUsing(
  unit: Unit,
  { from, to, department = null, employee = null }: UsedMonths,
): Promise<string[]> {
  const months = [unit.session.entityId, from, to];
  const appraisals = await numbersOf(
    unit,
    ['appraisal', 'appraisal_period'],
    `select a.number from {appraisal} a join {appraisal_period} p on p.id = a.period_id join {employee} e on e.id = a.employee_id
     where a.entity_id = $1 and a.active and a.status in ('released', 'acknowledged', 'appealed', 'closed')
       and to_char(p.starts_on, 'YYYY-MM') <= $3 and to_char(p.ends_on, 'YYYY-MM') >= $2
       and ($4::bigint is null or e.department_id = $4) and ($5::bigint is null or a.employee_id = $5) order by a.id limit 3`,
    [...months, department, employee],
  );
  const runs = await numbersOf(
    unit,
    ['incentive_run'],
    `select run_no as number from {incentive_run} where entity_id = $1 and active and run_kind <> 'awards'
       and status in ('approved', 'exported', 'paid') and from_month <= $3 and month >= $2
     order by id limit 3`,
    months,
  );
  return [...appraisals, ...runs];
}

/** The refusal of months that these documents have used. */
export const usedBy = (numbers: readonly string[]): string =>
  `Used by ${numbers.join(', ')}. Cancel those first or make a correction.`;
