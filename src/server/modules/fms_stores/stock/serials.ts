import type { Unit } from '../../../engine/records/unit.ts';
import type { Movement, Posting } from './movement.ts';
import type { Known } from './lookups.ts';

interface Serial {
  id: number;
  item_id: number;
  serial_no: string;
  state: string;
  condition: string;
  stock_point_id: number | null;
  received_by_no: string | null;
}

/** The place of a piece in words. */
async function whereIs(unit: Unit, { stock_point_id: point, state }: Serial): Promise<string> {
  if (point === null)
    return (
      {
        installed: 'is fitted in a lift',
        scrapped: 'is scrapped',
        at_vendor: 'is back at the vendor',
        with_customer: 'is with the customer',
      }[state] ?? 'is not in stock'
    );
  const [row] = await unit.query<{ code: string; holder: string | null }>(
    'select p.code, e.name as holder from {stock_point} p left join {employee} e on e.id = p.employee_id where p.id = $1',
    [point],
  );
  return row?.holder ? `is with ${row.holder} (kit)` : `is at ${row?.code ?? 'another place'}`;
}

/** Locks the serial numbers of a posting by id, and checks that each is at its source. @throws AppError 409 */
export async function checkSerials(unit: Unit, movements: readonly Movement[], { items }: Known): Promise<void> {
  const ids = movements.flatMap(({ serials }) => serials);
  if (ids.length === 0) return;
  const rows = await unit.query<Serial>(
    `select id, item_id, serial_no, state, condition, stock_point_id, received_by_no from {stock_serial}
     where id = any($1::bigint[]) and entity_id = $2 order by id for update`,
    [ids, unit.session.entityId],
  );
  const known = new Map(rows.map((row) => [Number(row.id), row]));
  for (const { serials, from, item, condition } of movements)
    for (const id of serials) {
      const serial = known.get(id);
      const { item_code: code } = items.get(item)!;
      if (!serial || serial.item_id !== item)
        unit.refuse([{ field: 'lines', message: `Choose serial numbers of ${code}.` }]);
      if (from !== null && (serial!.stock_point_id !== from || serial!.condition !== condition))
        unit.refuse([{ field: 'lines', message: `Serial ${serial!.serial_no} ${await whereIs(unit, serial!)}.` }], 409);
      if (from === null && serial!.stock_point_id !== null)
        unit.refuse(
          [
            {
              field: 'lines',
              message: `Serial ${serial!.serial_no} of ${code} is already in stock${serial!.received_by_no ? ` (${serial!.received_by_no})` : ''}.`,
            },
          ],
          409,
        );
    }
}

const STATES: Readonly<Record<string, string>> = {
  transit: 'in_transit',
  technician: 'with_technician',
  repairer: 'at_vendor',
  scrap: 'scrapped',
  on_loan: 'installed',
};

/** Moves serial numbers with their pieces. */
export async function moveSerials(unit: Unit, posting: Posting, { points }: Known, at: string): Promise<void> {
  const rows = posting.movements.flatMap(({ serials, to, condition, toCondition }) => {
    const becomes = toCondition ?? condition;
    const kind = to === null ? null : points.get(to)!.kind;
    const state =
      kind === null
        ? (posting.leaves?.state ?? 'scrapped')
        : (STATES[kind] ?? (becomes === 'faulty' ? 'returned_faulty' : 'in_stock'));
    return serials.map((id) => ({ id, to, becomes, state }));
  });
  if (rows.length === 0) return;
  const lift = posting.leaves?.lift ?? null;
  await unit.query(
    `update {stock_serial} s set stock_point_id = x.point, condition = x.condition, state = x.state,
       lift_id = case when x.state = 'installed' then $6::bigint else null end,
       fitted_on = case when x.state = 'installed' then ($5::timestamptz)::date else null end, updated_at = now()
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) x(id, point, condition, state) where s.id = x.id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ to }) => to),
      rows.map(({ becomes }) => becomes),
      rows.map(({ state }) => state),
      at,
      lift,
    ],
  );
}
