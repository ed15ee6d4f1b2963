import { Exact } from '../../../../descriptor/exact.ts';
import { claimsToTake } from '../../../../domain/fms_stores/claims.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { release, reserve } from '../stock/reservations.ts';

type Row = Record<string, unknown>;

const rowsOf = (record: Row): (Row & { id: number })[] => (record.lines ?? []) as (Row & { id: number })[];

/** Changes lines of a request, and takes the automatic transitions that follow. */
const setRows = (unit: Unit, request: number, rows: ReadonlyMap<number, Row>) =>
  unit.elevated().update('mr', request, { lines: { set: Object.fromEntries(rows) } });

/** Reservations of a line of another request. */
interface Other {
  item: number;
  line: number;
  request: number;
  no: string | null;
  raiser: number | null;
  isDown: boolean;
  priority: string;
  qty: string;
  ids: number[];
}

/** Reservations of items in a store for other requests. */
async function reservedForOthers(unit: Unit, request: number, store: number, items: number[]): Promise<Other[]> {
  const rows = await unit.query<Other>(
    `select r.item_id as item, r.document_line_id as line, m.id as request, m.mr_no as no, m.created_by as raiser, coalesce(m.lift_down, false) as "isDown", m.priority,
       sum(r.qty - r.consumed_qty)::text as qty, array_agg(r.id::int) as ids
     from {stock_reservation} r join {mr} m on m.id = r.document_id
     where r.entity_id = $1 and r.state = 'active' and r.document_type = 'mr' and m.id <> $2 and r.stock_point_id = $3 and r.item_id = any($4::bigint[]) and r.condition = 'new'
     group by r.item_id, r.document_line_id, m.id, m.mr_no, m.created_by, m.lift_down, m.priority`,
    [unit.session.entityId, request, store, items],
  );
  return rows.map((row) => ({ ...row, item: Number(row.item), line: Number(row.line), request: Number(row.request) }));
}

/** What a line still needs from the store. */
const neededBy = (line: Row): InstanceType<typeof Exact> =>
  new Exact(String(line.approved_qty ?? line.qty ?? 0))
    .minus(String(line.reserved_qty ?? 0))
    .minus(String(line.issued_qty ?? 0));

/**
 * Reserves for this request what its store holds for requests of lower priority; those are planned again, and whoever
 * raised them is notified. @throws AppError 409 if nothing can be taken
 */
export const takeReserved: Effect = {
  elevated: true,
  async apply({ unit, record, input }) {
    const store = Number(record.from_stock_point_id);
    const own = { isDown: record.lift_down === true, priority: String(record.priority) };
    const losers = new Map<number, Other[]>();
    const gained = new Map<number, Row>();
    const short = rowsOf(record).flatMap((line) => {
      const [item, needed] = [Number(line.approved_item_id ?? 0), neededBy(line)];
      return line.line_status === 'planned' && item !== 0 && needed.greaterThan(0) ? [{ line, item, needed }] : [];
    });
    let others = await reservedForOthers(
      unit,
      record.id,
      store,
      short.map(({ item }) => item),
    );
    for (const { line, item, needed } of short) {
      const taken = claimsToTake(
        own,
        needed.toString(),
        others.filter((one) => one.item === item),
      );
      if (taken.length === 0) continue;
      others = others.filter((one) => !taken.includes(one));
      await release(unit, { type: 'mr', ids: taken.flatMap(({ ids }) => ids) });
      const free = taken.reduce((sum, { qty }) => sum.plus(qty), new Exact(0));
      const qty = free.lessThan(needed) ? free : needed;
      await reserve(unit, await inBatches(unit, record.id, line.id, item, store, qty));
      const reserved = new Exact(String(line.reserved_qty ?? 0)).plus(qty);
      gained.set(line.id, {
        reserved_qty: reserved.toString(),
        to_order_qty: Exact.max(0, new Exact(String(line.to_order_qty ?? 0)).minus(qty)).toString(),
        line_status: qty.equals(needed) ? 'ready' : 'planned',
      });
      for (const one of taken) losers.set(one.request, [...(losers.get(one.request) ?? []), one]);
    }
    if (gained.size === 0)
      unit.refuse(
        [{ field: '', message: 'The store has reserved none of these parts for requests of lower priority.' }],
        409,
      );
    await setRows(unit, record.id, gained);
    for (const [request, lost] of losers) {
      await setRows(
        unit,
        request,
        new Map(lost.map(({ line }) => [line, { reserved_qty: '0', line_status: 'released' }])),
      );
      const { no, raiser } = lost[0]!;
      if (raiser !== null)
        await unit.notify({
          event: 'stores.reservation_taken',
          to: [Number(raiser)],
          entityId: unit.session.entityId,
          link: `/mr_landing/view?id=${request}`,
          record: { type: 'mr', id: request },
          values: {
            request: no ?? String(request),
            other: String(record.mr_no ?? record.id),
            reason: String(input.reason ?? ''),
          },
        });
    }
  },
};

/** The freed quantity as reservations, by batch, those that expire first. */
async function inBatches(
  unit: Unit,
  request: number,
  line: number,
  item: number,
  point: number,
  qty: InstanceType<typeof Exact>,
): Promise<Parameters<typeof reserve>[1]> {
  const balances = await unit.query<{ batch: number | null; free: string }>(
    `select s.batch_id as batch, (s.on_hand - s.reserved)::text as free from {stock_balance} s left join {stock_batch} b on b.id = s.batch_id
     where s.entity_id = $1 and s.item_id = $2 and s.condition = 'new' and s.stock_point_id = $3 and s.on_hand > s.reserved
       and not coalesce(b.blocked, false) and b.owner_customer_id is null order by greatest(b.expires_on, b.extended_to) nulls last, b.id`,
    [unit.session.entityId, item, point],
  );
  const parts: Parameters<typeof reserve>[1][number][] = [];
  let left = qty;
  for (const { batch, free } of balances) {
    const part = left.lessThan(free) ? left : new Exact(free);
    if (part.isZero()) break;
    parts.push({
      document: { type: 'mr', id: request, line },
      item,
      condition: 'new',
      point,
      batch: batch === null ? null : Number(batch),
      qty: part,
    });
    left = left.minus(part);
  }
  return parts;
}
