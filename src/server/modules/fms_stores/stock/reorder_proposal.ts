import { reorderFigures } from '../../../../domain/fms_stores/reorder.ts';
import { plainQuantity } from './lookups.ts';

/**
 * The quantity that a stock point should indent of one item (5.14). Quantities are decimals as text, in the stock unit.
 */
export interface ReorderLine {
  point: number;
  item: number;
  uom: number;
  mean: string;
  deviation: string;
  lead: number;
  on_hand: string;
  reserved: string;
  on_order: string;
  in_transit: string;
  reorder: string;
  target: string;
  position: string;
  propose: string;
  vendor: number | null;
}

interface Position {
  point: number;
  item: number;
  uom: number;
  min_level: string | null;
  reorder_level: string | null;
  max_level: string | null;
  on_hand: string;
  reserved: string;
  in_transit: string;
  on_order: string;
  lead: number | null;
  multiple: string | null;
  least: string | null;
  vendor: number | null;
}

/** Days until a delivery if the vendor's are not known. */
const LEAD_DAYS = 7;

/** The source of a proposal's data: a unit of work, or a report. */
interface Asking {
  session: { entityId: number | null };
  now: Date;
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
}

/** Items with levels by stock point, with their stock, expected receipts and use of the last 90 days. */
export async function reorderProposal(unit: Asking, point: number | null): Promise<ReorderLine[]> {
  const company = unit.session.entityId;
  const rows = await unit.query<Position>(
    `select p.id as point, l.item_id as item, i.stock_uom_id as uom, l.min_qty as min_level, l.reorder_qty as reorder_level, l.max_qty as max_level,
       coalesce((select sum(b.on_hand) from {stock_balance} b where b.entity_id = $1 and b.stock_point_id = p.id and b.item_id = l.item_id and b.condition in ('new', 'refurbished')), 0)::text as on_hand,
       coalesce((select sum(b.reserved) from {stock_balance} b where b.entity_id = $1 and b.stock_point_id = p.id and b.item_id = l.item_id), 0)::text as reserved,
       coalesce((select sum(t.open_qty) from {mr_transfer} m join {mr_transfer.lines} t on t.parent_id = m.id where m.entity_id = $1 and m.to_stock_point_id = p.id and t.item_id = l.item_id and m.state in ('dispatched', 'part_received')), 0)::text as in_transit,
       (coalesce((select sum(o.qty - o.received_qty) from {purchase_order} m join {purchase_order.lines} o on o.parent_id = m.id where m.entity_id = $1 and m.ship_to_stock_point_id = p.id and o.item_id = l.item_id and m.state in ('approved', 'sent', 'part_received')), 0)
        + coalesce((select sum(n.granted_qty - n.dispatched_qty) from {mr_indent} m join {mr_indent.lines} n on n.parent_id = m.id where m.entity_id = $1 and m.for_stock_point_id = p.id and n.item_id = l.item_id and m.state in ('draft', 'submitted', 'approved', 'part_supplied')), 0))::text as on_order,
       v.lead_days as lead, v.order_multiple::text as multiple, v.min_order_qty::text as least, v.vendor_id as vendor
     from {stock_point} p join {stock_point.levels} l on l.parent_id = p.id join {item_mstr} i on i.id = l.item_id
     left join lateral (select x.lead_days, x.order_multiple, x.min_order_qty, x.vendor_id from {item_mstr.vendors} x where x.parent_id = i.id order by x.preferred desc nulls last, x.position limit 1) v on true
     where p.entity_id = $1 and p.active and ($2::bigint is null or p.id = $2) order by p.id, l.position`,
    [company, point],
  );
  if (rows.length === 0) return [];
  const use = await unit.query<{ point: number; item: number; qty: string }>(
    `select l.stock_point_id as point, l.item_id as item, (-sum(l.qty))::text as qty from {stock_ledger} l join {stock_move} m on m.id = l.move_id
     where l.entity_id = $1 and l.qty < 0 and l.reverses_id is null and m.event in ('issue', 'consumption', 'dispatch') and l.posting_at >= $2::timestamptz - interval '90 days'
       and l.stock_point_id = any($3::bigint[]) group by l.stock_point_id, l.item_id, l.posting_at::date`,
    [company, unit.now.toISOString(), [...new Set(rows.map((row) => row.point))]],
  );
  return rows.map((row) => {
    const days = use
      .filter((one) => one.point === row.point && one.item === row.item)
      .map(({ qty }) => ({ days: 1, qty }));
    const lead = row.lead ?? LEAD_DAYS;
    const figures = reorderFigures(
      [...days, { days: Math.max(0, 90 - days.length), qty: 0 }],
      lead,
      { on_hand: row.on_hand, reserved: row.reserved, on_order: row.on_order, in_transit: row.in_transit },
      row.multiple ?? 1,
    );
    // Levels that people entered take precedence over computed ones.
    const reorder = row.reorder_level ?? row.min_level ?? figures.reorder;
    const target = row.max_level ?? (row.reorder_level === null ? figures.target : row.reorder_level);
    const missing = Number(target) - Number(figures.position);
    const step = Number(row.multiple ?? 1) || 1;
    const isLow = Number(figures.position) <= Number(reorder);
    return {
      point: row.point,
      item: row.item,
      uom: row.uom,
      mean: figures.mean,
      deviation: figures.deviation,
      lead,
      on_hand: plainQuantity(row.on_hand),
      reserved: plainQuantity(row.reserved),
      on_order: plainQuantity(row.on_order),
      in_transit: plainQuantity(row.in_transit),
      reorder: String(Number(reorder)),
      target: String(Number(target)),
      position: String(Number(figures.position)),
      propose: isLow && missing > 0 ? String(Math.ceil(Math.max(missing, Number(row.least ?? 0)) / step) * step) : '0',
      vendor: row.vendor,
    };
  });
}
