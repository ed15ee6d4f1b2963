import { existingTables } from '../../db/existing_tables.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Documents that a stock point is in, the fields that name it, and the states in which they are open. */
const OPEN: readonly [string, readonly string[], readonly string[]][] = [
  [
    'mr_transfer',
    ['from_stock_point_id', 'to_stock_point_id'],
    ['submitted', 'approved', 'dispatched', 'part_received', 'differing', 'loss_submitted'],
  ],
  ['mr_indent', ['from_stock_point_id', 'for_stock_point_id'], ['submitted', 'approved', 'part_supplied']],
  ['grn', ['stock_point_id'], ['inspected']],
  ['stock_count', ['stock_point_id'], ['counting', 'counted', 'recount', 'approved']],
];

/** Stock points that hold stock, or that open documents name, stay in use. */
export default defineHooks({
  async leave({ tenant, entityId }, stored, how) {
    if (how === 'activate') return null;
    const s = quoted(tenant.schema);
    const tables = await existingTables(tenant.db, tenant.schema);
    const [held] = tables.has('stock_balance')
      ? await tenant.db.query<{ items: number }>(
          `select count(distinct item_id)::int as items from ${s}.stock_balance where entity_id = $1 and stock_point_id = $2 and on_hand > 0`,
          [entityId, stored.id],
        )
      : [];
    let documents = 0;
    for (const [type, fields, states] of OPEN) {
      if (!tables.has(type)) continue;
      const [row] = await tenant.db.query<{ n: number }>(
        `select count(*)::int as n from ${s}.${type} where entity_id = $1 and active and state = any($3::text[]) and $2::bigint in (${fields.join(', ')})`,
        [entityId, stored.id, states],
      );
      documents += row!.n;
    }
    const items = held?.items ?? 0;
    const parts = [
      ...(items === 0 ? [] : [`still holds ${items} ${items === 1 ? 'item' : 'items'}`]),
      ...(documents === 0 ? [] : [`is in ${documents} open ${documents === 1 ? 'document' : 'documents'}`]),
    ];
    return parts.length === 0 ? null : `${String(stored.code)} ${parts.join(' and ')}.`;
  },
});
