import type { Unit } from '../../../engine/records/unit.ts';
import type { StockItem } from './lookups.ts';
import type { Condition } from './movement.ts';

/** The batch of an item by its number, created if new; it expires by the shelf life of the item (5.17). */
export async function receivedBatch(
  unit: Unit,
  item: StockItem,
  { no, vendor, owner, made }: { no: string; vendor: number | null; owner: number | null; made: string | null },
): Promise<number> {
  await unit.query(
    `insert into {stock_batch} (entity_id, item_id, batch_no, vendor_id, owner_customer_id, made_on, expires_on, blocked, created_by, updated_by)
     select $1, i.id, $3, $4, $5, $6::date, $6::date + l.days, false, $7, $7 from {item_mstr} i left join {shelf_life} l on l.id = i.shelf_life_id where i.id = $2
     on conflict do nothing`,
    [unit.session.entityId, item.id, no, vendor, owner, made, unit.session.userId || null],
  );
  const [row] = await unit.query<{ id: number; owner: number | null }>(
    'select id, owner_customer_id as owner from {stock_batch} where entity_id = $1 and item_id = $2 and lower(batch_no) = lower($3)',
    [unit.session.entityId, item.id, no],
  );
  if (row!.owner !== owner)
    unit.refuse(
      [{ field: 'lines', message: `Batch ${no} of ${item.item_code} belongs to somebody else. Use another number.` }],
      409,
    );
  return Number(row!.id);
}

/** Serial numbers of received pieces; pieces that were here before return under the same number. */
export async function receivedSerials(
  unit: Unit,
  item: StockItem,
  numbers: readonly string[],
  of: { batch: number | null; condition: Condition; no: string | null; line: number | null },
): Promise<number[]> {
  const distinct = [...new Set(numbers.map((no) => no.trim()).filter((no) => no !== ''))];
  if (distinct.length < numbers.length)
    unit.refuse([{ field: 'lines', message: `A serial number of ${item.item_code} is entered twice.` }]);
  const rows = await unit.query<{ id: number; no: string }>(
    `insert into {stock_serial} (entity_id, item_id, serial_no, batch_id, state, condition, received_by_no, grn_line_id, created_by, updated_by)
     select $1, $2, x.no, $4, 'in_stock', $5, $6, $7, $8, $8 from unnest($3::text[]) with ordinality x(no, place) order by x.place
     on conflict do nothing returning id, serial_no as no`,
    [unit.session.entityId, item.id, distinct, of.batch, of.condition, of.no, of.line, unit.session.userId || null],
  );
  if (rows.length === distinct.length) return rows.map(({ id }) => Number(id));
  const all = await unit.query<{ id: number }>(
    'select id from {stock_serial} where entity_id = $1 and item_id = $2 and lower(serial_no) = any($3::text[]) order by id',
    [unit.session.entityId, item.id, distinct.map((no) => no.toLowerCase())],
  );
  return all.map(({ id }) => Number(id));
}
