import { Exact } from '../../../descriptor/exact.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** A line of a request with material that a technician still holds or will receive. */
export interface OpenLine {
  id: number;
  request: number;
  item: number;
  cover: string | null;
  because: string | null;
  /** The customer's price per unit. */
  each: string;
  held: string;
}

/**
 * Material issued to a technician and neither used nor returned, oldest request first; `lift` null = for any lift. What
 * was issued in an emergency and rejected afterwards is charged.
 */
export async function heldLines(unit: Unit, technician: unknown, lift: number | null): Promise<OpenLine[]> {
  const rows = await unit.query<OpenLine>(
    `select l.id, m.id as request, coalesce(l.approved_item_id, l.item_id) as item,
       case when m.state = 'rejected' then 'chargeable' else l.cover end as cover,
       case when m.state = 'rejected' then 'The request was rejected after the issue.' else l.cover_because end as because,
       coalesce(case when m.state = 'rejected' then coalesce(l.price, l.customer) else l.customer end / nullif(coalesce(l.approved_qty, l.qty), 0), 0)::text as each, (l.issued_qty - l.used_qty - l.returned_qty)::text as held
     from {mr.lines} l join {mr} m on m.id = l.parent_id
     where m.active and m.entity_id = $1 and m.technician_id = $2 and ($3::bigint is null or m.lift_id = $3)
       and l.issued_qty > l.used_qty + l.returned_qty order by m.id, l.id`,
    [unit.session.entityId, technician ?? null, lift],
  );
  return rows.map((row) => ({ ...row, id: Number(row.id), request: Number(row.request), item: Number(row.item) }));
}

/** Lines with lent parts that are not back, those of the technician first, then the oldest. */
export async function lentLines(
  unit: Unit,
  technician: unknown,
): Promise<{ id: number; request: number; item: number }[]> {
  const rows = await unit.query<{ id: number; request: number; item: number }>(
    `select l.id, m.id as request, coalesce(l.approved_item_id, l.item_id) as item from {mr.lines} l join {mr} m on m.id = l.parent_id
     where m.active and m.entity_id = $1 and l.cover = 'loan' and l.used_qty > coalesce(l.loan_back_qty, 0)
     order by m.technician_id = $2 desc, m.id, l.id`,
    [unit.session.entityId, technician ?? null],
  );
  return rows.map((row) => ({ id: Number(row.id), request: Number(row.request), item: Number(row.item) }));
}

/** Those of some lines of requests whose parts are lent and not back. */
export async function lentAmong(unit: Unit, lines: readonly number[]): Promise<Set<number>> {
  const rows = await unit.query<{ id: number }>(
    `select id from {mr.lines} where id = any($1::bigint[]) and cover = 'loan' and used_qty > coalesce(loan_back_qty, 0)`,
    [lines],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Adds to columns of the rows of cover notes and orders that belong to lines of requests. */
export async function addToOrders(
  unit: Unit,
  amounts: readonly { line: number; column: 'issued_qty' | 'used_qty' | 'returned_qty'; qty: string }[],
): Promise<void> {
  for (const { line, column, qty } of amounts) {
    const [row] = await unit.query<{ order: number; id: number; now: string }>(
      `select l.parent_id as order, l.id, l.${column}::text as now from {mr_contract.lines} l join {mr_contract} c on c.id = l.parent_id
       where c.active and c.state <> 'cancelled' and l.mr_line = $1 order by l.id desc limit 1`,
      [line],
    );
    if (!row) continue;
    const sum = new Exact(row.now).plus(qty).toString();
    await unit.elevated().update('mr_contract', Number(row.order), { lines: { set: { [row.id]: { [column]: sum } } } });
  }
}
