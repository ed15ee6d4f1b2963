import type { WireRecord } from '../../../descriptor/types.ts';
import { shiftWorkingDays } from '../../../domain/working_days.ts';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';

const YEAR_MS = 366 * 86_400_000;

/** Until when a ticket may be reopened: so many working days after its solution as its service says (S8). */
export async function reopening(
  unit: Unit,
  ticket: Readonly<Record<string, unknown>> | WireRecord,
): Promise<{ days: number; last: string; isOpen: boolean }> {
  const { session } = unit;
  const [service] = await unit.query<{ days: number | null }>(
    'select reopen_days as days from {service} where id = $1',
    [ticket.service_id ?? null],
  );
  const days = service?.days ?? 5;
  const place = { branchId: ticket.branch_id, entityId: session.entityId };
  const { zones } = placeOf(session);
  const today = dayOf(zones, place, unit.now.getTime());
  const solved = dayOf(zones, place, Date.parse(String(ticket.resolved_at ?? unit.now.toISOString())));
  const works = await worksOn(
    session.tenant,
    { entityId: session.entityId, branchId: (ticket.branch_id as number | null) ?? null },
    solved,
    new Date(Date.parse(solved) + YEAR_MS).toISOString().slice(0, 10),
  );
  const last = shiftWorkingDays(solved, days, works);
  return { days, last, isOpen: today <= last };
}
