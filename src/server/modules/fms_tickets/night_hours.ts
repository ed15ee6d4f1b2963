import type { Unit } from '../../engine/records/unit.ts';
import { clockAt } from './day_at.ts';
import { ticketPolicy } from './ticket_policy.ts';

type Row = Readonly<Record<string, unknown>>;

/** Default night hours without a COVERAGE policy. */
const NIGHT = { from: '21:00', to: '07:00' };

/** Whether a call was reported at night, by the COVERAGE policy, in the zone of its branch. */
export async function isAtNight(unit: Unit, ticket: Row): Promise<boolean> {
  const policy = await ticketPolicy(unit, 'COVERAGE', ticket, ticket.reported_at);
  const from = policy.night_from ?? NIGHT.from;
  const to = policy.night_to ?? NIGHT.to;
  const clock = clockAt(unit, ticket, new Date(String(ticket.reported_at)));
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to;
}
