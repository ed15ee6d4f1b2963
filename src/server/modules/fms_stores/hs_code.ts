import { existingTables } from '../../db/existing_tables.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Goods carry as many digits of the HSN as the company must show; earlier codes stay valid. */
export default defineHooks({
  async check({ tenant }, record, stored) {
    const code = String(record.code ?? '');
    if (record.kind !== 'HSN' || code === stored?.code) return [];
    if (!(await existingTables(tenant.db, tenant.schema)).has('fms_stores_setting')) return [];
    const [setting] = await tenant.db.query<{ digits: string | null }>(
      `select hsn_digits as digits from ${quoted(tenant.schema)}.fms_stores_setting order by id limit 1`,
    );
    const digits = Number(setting?.digits ?? 0);
    if (code.length >= digits) return [];
    return [
      {
        field: 'code',
        message: `Bills must show at least ${digits} digits of the HSN code; this one has ${code.length}.`,
      },
    ];
  },
});
