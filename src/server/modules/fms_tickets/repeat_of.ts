import type { Unit } from '../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

/** The earlier ticket that this one repeats: same lift and category, completed within the definition's days (C17). Null = none. */
export async function repeatOf(unit: Unit, ticket: Row): Promise<number | null> {
  const [found] = await unit.query<{ id: number }>(
    `select o.id from {fms_ticket} o join {ticket_definition} d on d.id = $4
     where o.lift_id = $1 and o.category_id = $2 and o.id <> $3 and o.active and o.status in ('completed', 'signed_off', 'closed')
       and d.ticket_type in ('breakdown', 'rescue', 'repair', 'complaint') and coalesce(d.repeat_days, 0) > 0
       and o.restored_at <= $5::timestamptz and o.restored_at >= $5::timestamptz - make_interval(days => d.repeat_days)
     order by o.restored_at desc limit 1`,
    [
      ticket.lift_id ?? null,
      ticket.category_id ?? null,
      ticket.id ?? null,
      ticket.ticket_definition_id ?? null,
      ticket.reported_at ?? null,
    ],
  );
  return found?.id ?? null;
}
