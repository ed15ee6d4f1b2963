import { tableName } from '../../db/names.ts';
import { gstinErrors } from '../../platform/reference/gstin_errors.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { timeZoneErrors } from '../../services/clock/zones.ts';

/** Companies: their registrations must be consistent, and the time zone must exist. */
export default defineHooks({
  async check(session, record) {
    const errors = await gstinErrors(session, record, typeof record.pan === 'string' ? record.pan : null);
    return [...errors, ...timeZoneErrors(record)];
  },
  /** Holidays store the financial year, which changes with its first month. */
  async saved({ tenant }, { id, fy_start_month: start }) {
    const table = tableName(tenant.schema, 'holiday');
    const [found] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
    if (!found?.there) return;
    const year = 'extract(year from h.date - make_interval(months => $2::int - 1))';
    await tenant.db.query(
      `update ${table} h set financial_year = concat(${year}, '-', ${year} + 1)
       where entity_id = $1 and financial_year is distinct from concat(${year}, '-', ${year} + 1)`,
      [id, start],
    );
  },
});
