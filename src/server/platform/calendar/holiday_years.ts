import type { YearHoliday } from '../../../domain/working_days.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** The holidays of a company in financial years, such as 2026-2027. */
export function holidaysOfYears(
  { db, schema }: Tenant,
  entityId: number,
  years: readonly string[],
): Promise<(YearHoliday & { financial_year: string })[]> {
  return db.query<YearHoliday & { financial_year: string }>(
    `select id, name, date::text, to_date::text, holiday_group, coalesce(fixed_date, false) as fixed_date, financial_year from ${quoted(schema)}.holiday
     where active and entity_id = $1 and financial_year = any($2) order by date, id`,
    [entityId, years],
  );
}
