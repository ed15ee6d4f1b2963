import { existingTables } from '../../db/existing_tables.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Vendors with open orders, open claims or repairs, or stock at them, stay in use. */
export default defineHooks({
  async leave({ tenant }, stored, how) {
    if (how === 'activate') return null;
    const s = quoted(tenant.schema);
    const tables = await existingTables(tenant.db, tenant.schema);
    const count = async (needs: readonly string[], statement: string): Promise<number> => {
      if (!needs.every((type) => tables.has(type))) return 0;
      const [row] = await tenant.db.query<{ n: number }>(statement, [stored.id]);
      return row!.n;
    };
    const orders = await count(
      ['purchase_order'],
      `select count(*)::int as n from ${s}.purchase_order where active and vendor_id = $1 and state in ('submitted', 'approved', 'sent', 'part_received')`,
    );
    const receipts = await count(
      ['grn'],
      `select count(*)::int as n from ${s}.grn where active and vendor_id = $1 and state = 'inspected'`,
    );
    const repairs = await count(
      ['mr_receipt'],
      `select count(distinct r.id)::int as n from ${s}.mr_receipt r join ${s}.mr_receipt__lines l on l.parent_id = r.id
       where r.active and l.vendor_id = $1 and l.line_end in ('open', 'under_repair')`,
    );
    const items = await count(
      ['stock_balance'],
      `select count(distinct b.item_id)::int as n from ${s}.stock_balance b join ${s}.stock_point p on p.id = b.stock_point_id
       where p.vendor_id = $1 and b.on_hand > 0`,
    );
    const several = (n: number, one: string, more: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : more}`]);
    const open = [
      ...several(orders, 'open order', 'open orders'),
      ...several(receipts, 'receipt to post', 'receipts to post'),
      ...several(repairs, 'open return', 'open returns'),
      ...several(items, 'item at the repairer', 'items at the repairer'),
    ];
    return open.length === 0 ? null : `${String(stored.name)} still has ${open.join(', ')}. Complete them first.`;
  },
});
