import type { Unit } from '../../engine/records/unit.ts';
import { writerOf } from './ticket_people.ts';

type Row = Readonly<Record<string, unknown>>;

export type EventKind =
  | 'created'
  | 'assigned'
  | 'replied'
  | 'noted'
  | 'paused'
  | 'resumed'
  | 'priority'
  | 'service'
  | 'forwarded'
  | 'resolved'
  | 'reopened'
  | 'closed'
  | 'merged'
  | 'approved'
  | 'rejected'
  | 'times';

const LONGEST = 250;

/** Adds a line to the log of a ticket: event, old and new value, reason, person and current holder. */
export async function writeEvent(
  unit: Unit,
  ticket: Row & { id: number },
  kind: EventKind,
  {
    from = null,
    to = null,
    reason = null,
    at = unit.at,
    by = writerOf(unit, ticket),
  }: { from?: string | null; to?: string | null; reason?: string | null; at?: Date; by?: string } = {},
): Promise<void> {
  await unit.createMany('ticket_event', [
    {
      ticket_id: ticket.id,
      at: at.toISOString(),
      kind,
      from_value: from?.slice(0, LONGEST) ?? null,
      to_value: to?.slice(0, LONGEST) ?? null,
      reason: reason?.slice(0, 500) ?? null,
      by_name: by,
      group_role_id: ticket.group_role_id ?? null,
      assignee_id: ticket.assignee_id ?? null,
    },
  ]);
}
