import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { gstinsOf } from './gstins.ts';

/** Customers: a GSTIN belongs to one of them, so that nobody is entered twice. */
export default defineHooks({
  async check({ tenant, entityId }, record, stored) {
    const gstins = gstinsOf(record);
    const known = new Set(gstinsOf(stored));
    if (gstins.every((one) => known.has(one))) return [];
    const s = quoted(tenant.schema);
    const others = await tenant.db.query<{ gstin: string; name: string; no: string }>(
      `select r.gstin, c.name, c.customer_no as no from ${s}.customer_dtl__gst_registrations r join ${s}.customer_dtl c on c.id = r.parent_id
       where r.gstin = any($1::text[]) and c.entity_id = $2 and c.active and c.id is distinct from $3 order by c.id`,
      [gstins, entityId, stored?.id ?? null],
    );
    return gstins.flatMap((gstin, at) => {
      const other = others.find((one) => one.gstin === gstin);
      return other
        ? [
            {
              field: `gst_registrations.${at}.gstin`,
              message: `${gstin} belongs to ${other.name} (${other.no}). Use that customer, or check the number.`,
            },
          ]
        : [];
    });
  },
});
