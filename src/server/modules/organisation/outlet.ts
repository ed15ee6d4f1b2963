import { tableName } from '../../db/names.ts';
import { companyPan, gstinErrors } from '../../platform/reference/gstin_errors.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Outlets run by the company itself: others are registered under their operator's PAN. */
const RUN_BY_COMPANY = new Set(['own', 'kiosk']);

/** Outlets: their GSTIN must be of the state of their district. */
export default defineHooks({
  async check(session, record) {
    if (typeof record.gstin !== 'string' || typeof record.district_id !== 'number') return [];
    const { db, schema } = session.tenant;
    const [district] = await db.query<{ state_id: number | null }>(
      `select state_id from ${tableName(schema, 'district')} where id = $1`,
      [record.district_id],
    );
    return gstinErrors(
      session,
      { gstin: record.gstin, state_id: district?.state_id },
      RUN_BY_COMPANY.has(String(record.outlet_type)) ? await companyPan(session) : null,
    );
  },
});
