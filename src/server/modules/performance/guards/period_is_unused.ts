import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** Documents of a type that used a month; a client without the type has none. */
async function usedBy(unit: Unit, types: readonly string[], sql: string, values: unknown[]): Promise<string[]> {
  const [known] = await unit.query<{ all: boolean }>(
    `select ${types.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  if (!known!.all) return [];
  return (await unit.query<{ number: string }>(sql, values)).map(({ number }) => number);
}

/** A month is not reopened while a released appraisal, an approved incentive run or a closed sheet uses it. */
export const periodIsUnused: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const values = [unit.session.entityId, record.month, record.department_id ?? null];
    const appraisals = await usedBy(
      unit,
      ['appraisal', 'appraisal_period'],
      `select a.number from {appraisal} a join {appraisal_period} p on p.id = a.period_id join {employee} e on e.id = a.employee_id
       where a.entity_id = $1 and a.active and a.status in ('released', 'acknowledged', 'appealed', 'closed')
         and $2::text between to_char(p.starts_on, 'YYYY-MM') and to_char(p.ends_on, 'YYYY-MM')
         and ($3::bigint is null or e.department_id = $3) order by a.id limit 3`,
      values,
    );
    const runs = await usedBy(
      unit,
      ['incentive_run'],
      `select run_no as number from {incentive_run} where entity_id = $1 and active and run_kind <> 'awards'
         and status in ('approved', 'exported', 'paid') and $2::text between from_month and month
       order by id limit 3`,
      values.slice(0, 2),
    );
    const sheets = await usedBy(
      unit,
      ['kpi_sheet'],
      `select sheet_no as number from {kpi_sheet} where entity_id = $1 and active and status = 'closed'
         and $2::text between to_char(valid_from, 'YYYY-MM') and to_char(valid_to, 'YYYY-MM')
         and ($3::bigint is null or department_id = $3) order by id limit 3`,
      values,
    );
    const used = [...appraisals, ...runs, ...sheets];
    return used.length === 0
      ? []
      : [{ field: 'month', message: `Used by ${used.join(', ')}. Cancel those first or make a correction.` }];
  },
};
