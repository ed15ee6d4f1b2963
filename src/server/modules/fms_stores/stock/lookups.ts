import { Exact } from '../../../../descriptor/exact.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** An item as postings need it. */
export interface StockItem {
  id: number;
  item_code: string;
  name: string;
  tracking: 'none' | 'batch' | 'serial';
  active: boolean;
  uom: string;
  decimals: number;
  stock_uom_id: number;
}

/** A stock point as postings need it. */
export interface StockPoint {
  id: number;
  code: string;
  name: string;
  kind: string;
  active: boolean;
  frozen: boolean;
  uses_bins: boolean;
  site_id: number;
  holder: string | null;
}

export interface StockBatch {
  id: number;
  item_id: number;
  batch_no: string;
  owner_customer_id: number | null;
  owner: string | null;
  expires_on: string | null;
  blocked: boolean;
}

/** Everything that a posting reads before it locks anything. */
export interface Known {
  items: Map<number, StockItem>;
  points: Map<number, StockPoint>;
  batches: Map<number, StockBatch>;
}

const byId = <T extends { id: number }>(rows: T[]): Map<number, T> => new Map(rows.map((row) => [Number(row.id), row]));

export async function stockItems(unit: Unit, ids: readonly number[]): Promise<Map<number, StockItem>> {
  return byId(
    await unit.query<StockItem>(
      `select i.id, i.item_code, i.name, i.tracking, i.active, i.stock_uom_id, u.code as uom, u.decimals
       from {item_mstr} i join {uom} u on u.id = i.stock_uom_id where i.id = any($1::bigint[])`,
      [[...new Set(ids)]],
    ),
  );
}

export async function stockPoints(unit: Unit, ids: readonly number[]): Promise<Map<number, StockPoint>> {
  return byId(
    await unit.query<StockPoint>(
      `select p.id, p.code, p.name, p.kind, p.active, coalesce(p.frozen, false) as frozen, coalesce(p.uses_bins, false) as uses_bins,
         l.site_id, e.name as holder
       from {stock_point} p join {storage_location} l on l.id = p.storage_location_id
       left join {employee} e on e.id = p.employee_id where p.id = any($1::bigint[]) and p.entity_id = $2`,
      [[...new Set(ids)], unit.session.entityId],
    ),
  );
}

export async function stockBatches(unit: Unit, ids: readonly number[]): Promise<Map<number, StockBatch>> {
  if (ids.length === 0) return new Map();
  return byId(
    await unit.query<StockBatch>(
      `select b.id, b.item_id, b.batch_no, b.owner_customer_id, c.name as owner, b.blocked,
         greatest(b.expires_on, b.extended_to)::text as expires_on
       from {stock_batch} b left join {customer_dtl} c on c.id = b.owner_customer_id where b.id = any($1::bigint[])`,
      [[...new Set(ids)]],
    ),
  );
}

/** Limits and periods of the stores, with the shipped defaults. */
export interface StoresSetting {
  backdate_days: number;
  reservation_days: number;
  count_tolerance_percent: string;
  count_tolerance_value: string;
  transit_alert_days: number;
  dead_stock_days: number;
  itc_eligible: boolean;
  eway_limit_default: string;
  kit_value_limit: string;
  adjustment_limit: string;
}

export async function storesSetting(unit: Unit): Promise<StoresSetting> {
  const [row] = await unit.query<Partial<StoresSetting>>('select * from {fms_stores_setting} order by id limit 1');
  return {
    backdate_days: row?.backdate_days ?? 3,
    reservation_days: row?.reservation_days ?? 7,
    count_tolerance_percent: row?.count_tolerance_percent ?? '2',
    count_tolerance_value: row?.count_tolerance_value ?? '5000.00',
    transit_alert_days: row?.transit_alert_days ?? 5,
    dead_stock_days: row?.dead_stock_days ?? 180,
    itc_eligible: row?.itc_eligible ?? true,
    eway_limit_default: row?.eway_limit_default ?? '50000.00',
    kit_value_limit: row?.kit_value_limit ?? '25000.00',
    adjustment_limit: row?.adjustment_limit ?? '0',
  };
}

/** A quantity without trailing zeros. */
export const plainQuantity = (qty: string | number | { toString(): string }): string =>
  new Exact(qty.toString()).toString();

/** A day in Indian format: 05-04-2026. */
export const indianDay = (day: string): string => day.slice(0, 10).split('-').reverse().join('-');
