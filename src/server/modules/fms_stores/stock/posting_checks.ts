import type { Decimal } from 'decimal.js';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Leg } from './ledger_rows.ts';
import { indianDay, plainQuantity } from './lookups.ts';
import type { Posting } from './movement.ts';
import type { Known } from './lookups.ts';
import { dayOfMoment, zoneOfCompany } from './posting_time.ts';

/** Validates a movement before anything is locked. @throws AppError 409, 422 */
export function checkMovements(unit: Unit, { movements, event }: Posting, { items, points, batches }: Known): void {
  const today = dayOfMoment(unit, unit.now);
  movements.forEach((movement, row) => {
    const at = (column: string) => (movement.line === null ? '' : `lines.${row}.${column}`);
    const item = items.get(movement.item);
    if (!item) unit.refuse([{ field: at('item_id'), message: 'Choose an item that is stocked.' }]);
    if (!movement.revalues && !movement.qty.isPositive())
      unit.refuse([{ field: at('qty'), message: `Enter a quantity above 0 for ${item!.item_code}.` }]);
    for (const id of [movement.from, movement.to]) {
      if (id === null) continue;
      const point = points.get(id);
      if (!point) unit.refuse([{ field: '', message: 'Choose a stock point of this company.' }]);
      if (point!.frozen && event !== 'count' && point!.kind !== 'quarantine')
        unit.refuse(
          [
            {
              field: '',
              message: `${point!.code} is being counted in full. No movements are possible until the count is posted.`,
            },
          ],
          409,
        );
      if (!point!.active) unit.refuse([{ field: '', message: `${point!.code} is no longer in use.` }], 409);
    }
    const batch = movement.batch === null ? null : batches.get(movement.batch);
    if (item!.tracking === 'batch' && !batch)
      unit.refuse([{ field: at('batch_id'), message: `Choose the batch of ${item!.item_code}.` }]);
    if (batch && batch.item_id !== movement.item)
      unit.refuse([{ field: at('batch_id'), message: `Batch ${batch.batch_no} is not of ${item!.item_code}.` }]);
    const goesOut = movement.to === null ? null : points.get(movement.to);
    if (batch && goesOut?.kind === 'technician' && movement.from !== null) {
      if (batch.expires_on !== null && batch.expires_on < today)
        unit.refuse(
          [
            {
              field: at('batch_id'),
              message: `Batch ${batch.batch_no} expired on ${indianDay(batch.expires_on)}. It may only be scrapped or returned to the vendor.`,
            },
          ],
          409,
        );
      if (batch.blocked)
        unit.refuse(
          [{ field: at('batch_id'), message: `Batch ${batch.batch_no} is blocked. Choose another batch.` }],
          409,
        );
    }
    // The tag of a customer's own piece is its identity.
    const isOwned = batch?.owner_customer_id != null;
    if (item!.tracking === 'serial' && !isOwned && !movement.revalues && !movement.qty.equals(movement.serials.length))
      unit.refuse([
        {
          field: at('serial_ids'),
          message: `Enter ${plainQuantity(movement.qty)} serial ${movement.qty.equals(1) ? 'number' : 'numbers'} for ${item!.item_code}; there ${movement.serials.length === 1 ? 'is' : 'are'} ${movement.serials.length}.`,
        },
      ]);
    if (new Set(movement.serials).size < movement.serials.length)
      unit.refuse([{ field: at('serial_ids'), message: 'A serial number is entered twice.' }]);
  });
}

/** Refuses unavailable stock, and names its last user. */
export async function notFree(
  unit: Unit,
  leg: Leg,
  free: Decimal,
  { items, points, batches }: Known,
  hasOwn: boolean,
): Promise<never> {
  const item = items.get(leg.item)!;
  const point = points.get(leg.point!)!;
  const [last] = await unit.query<{
    qty: string;
    at: string;
    no: string | null;
    holder: string | null;
    code: string | null;
  }>(
    `select abs(l.qty)::text as qty, to_char(l.posting_at at time zone $6, 'HH24:MI') as at, m.document_no as no, p.code, e.name as holder
     from {stock_ledger} l join {stock_move} m on m.id = l.move_id
     left join {stock_ledger} o on o.move_id = l.move_id and o.line_id is not distinct from l.line_id and o.qty > 0 and o.item_id = l.item_id
     left join {stock_point} p on p.id = o.stock_point_id left join {employee} e on e.id = p.employee_id
     where l.entity_id = $1 and l.item_id = $2 and l.condition = $3 and l.stock_point_id = $4 and l.qty < 0
       and l.posting_at >= $5::timestamptz - interval '1 day' order by l.posting_at desc, l.id desc limit 1`,
    [unit.session.entityId, leg.item, leg.condition, leg.point, unit.now.toISOString(), zoneOfCompany(unit)],
  );
  const batch = leg.batch === null ? '' : ` (batch ${batches.get(leg.batch)?.batch_no ?? ''})`;
  const shown = free.isNegative() ? '0' : plainQuantity(free);
  const where = `Only ${shown} ${item.uom} of ${item.item_code} ${item.name}${batch} is free at ${point.code}.`;
  const went = last
    ? ` ${plainQuantity(last.qty)} ${last.holder ? `was issued to ${last.holder}` : last.code ? `went to ${last.code}` : 'was taken'} at ${last.at}${last.no ? ` (${last.no})` : ''}.`
    : '';
  const instead = await substitutesFree(unit, leg.item, leg.point!);
  unit.refuse([{ field: 'lines', message: `${where}${hasOwn ? '' : went}${instead}` }], 409);
}

/** The substitutes of an item that are free at a stock point, in words; empty if there are none. */
export async function substitutesFree(unit: Unit, item: number, point: number): Promise<string> {
  const free = await unit.query<{ name: string; qty: string }>(
    `select i.item_code || ' ' || i.name as name, sum(b.on_hand - b.reserved)::text as qty
     from (select s.item_id as id from {item_mstr.substitutes} s where s.parent_id = $1
           union select s.parent_id from {item_mstr.substitutes} s where s.item_id = $1 and s.both_ways) s
     join {item_mstr} i on i.id = s.id and i.active
     join {stock_balance} b on b.item_id = i.id and b.stock_point_id = $2 and b.condition = 'new' and b.entity_id = $3
     group by i.id, i.item_code, i.name having sum(b.on_hand - b.reserved) > 0 order by i.item_code limit 3`,
    [item, point, unit.session.entityId],
  );
  return free.length === 0
    ? ''
    : ` Substitutes there: ${free.map(({ name, qty }) => `${name} (${plainQuantity(qty)})`).join(', ')}.`;
}
