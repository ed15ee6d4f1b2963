import { DateTime } from 'luxon';
import { Exact } from '../../../../descriptor/exact.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Leg } from './ledger_rows.ts';
import { indianDay, plainQuantity } from './lookups.ts';
import type { Known } from './lookups.ts';
import { dayOfMoment, zoneOfCompany } from './posting_time.ts';

/**
 * The lowest balance of a place from a moment on, and the document that causes it. An entry and its reversal count as if
 * neither existed.
 */
export async function leastFrom(
  unit: Unit,
  { item, condition, point, batch }: Pick<Leg, 'item' | 'condition' | 'point' | 'batch'>,
  at: string,
): Promise<{ least: string; at: string; document: string | null }> {
  const [row] = await unit.query<{ least: string; at: string; document: string | null }>(
    `with running as (
       select l.posting_at, l.id, m.document_no, sum(l.qty) over (order by l.posting_at, l.id) as balance
       from {stock_ledger} l join {stock_move} m on m.id = l.move_id
       where l.entity_id = $1 and l.item_id = $2 and l.condition = $3 and l.stock_point_id = $4 and l.batch_id is not distinct from $5 and l.qty <> 0
         and l.reverses_id is null and not exists (select 1 from {stock_ledger} r where r.entity_id = l.entity_id and r.reverses_id = l.id)
     ), reached as (
       select coalesce((select balance from running where posting_at <= $6 order by posting_at desc, id desc limit 1), 0) as balance,
         $6::timestamptz as posting_at, null::text as document_no, 0::bigint as id
       union all select balance, posting_at, document_no, id from running where posting_at > $6
     )
     select balance::text as least, to_char(posting_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, document_no as document
     from reached order by balance, posting_at, id limit 1`,
    [unit.session.entityId, item, condition, point, batch, at],
  );
  return row!;
}

/** Refuses a back-dated issue that would make a later balance negative (5.4). @throws AppError 409 */
export async function refuseBelowZeroLater(
  unit: Unit,
  legs: readonly Leg[],
  at: string,
  { items, points }: Pick<Known, 'items' | 'points'>,
): Promise<void> {
  const keyOf = ({ item, condition, point, batch }: Leg) => `${item} ${condition} ${point} ${batch ?? ''}`;
  for (const same of Map.groupBy(legs, keyOf).values()) {
    const out = same.reduce((sum, { qty }) => sum.minus(qty), new Exact(0));
    if (!out.isPositive() || out.isZero()) continue;
    const [leg] = same;
    const { least, at: when, document } = await leastFrom(unit, leg!, at);
    if (!new Exact(least).lessThan(out)) continue;
    const item = items.get(leg!.item)!;
    const falls = indianDay(dayOfMoment(unit, new Date(when)));
    const why =
      document === null
        ? 'there was no more then. Enter a later time, or enter first what it received.'
        : `on ${falls} the balance falls to ${plainQuantity(least)} (${document}).`;
    const from = points.get(leg!.point!)!.code;
    const message = `Only ${plainQuantity(least)} ${item.uom} of ${item.item_code} ${item.name} can be issued from ${from} for ${momentOf(unit, at)}: ${why}`;
    unit.refuse([{ field: 'lines', message }], 409);
  }
}

/** A moment as people of the company read it; the last minute of a day stands for the day. */
function momentOf(unit: Unit, at: string): string {
  const moment = DateTime.fromISO(at, { zone: zoneOfCompany(unit), locale: 'en-US' });
  return moment.toFormat(moment.hour === 23 && moment.minute === 59 ? 'dd-MM-yyyy' : 'dd-MM-yyyy hh:mm a');
}
