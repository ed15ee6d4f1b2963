import { RESCUE_REACH_MIN } from '../../../domain/fms/who_goes.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { suggestionsFor } from './suggestions.ts';
import { accountsOf, notifyOfTicket } from './ticket_people.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Offers a ticket to every technician on duty within 30 minutes of the lift, and notifies leader and supervisor; the
 * first to accept goes. If nobody is in reach, all qualified technicians on duty are asked.
 */
export async function offerToAll(unit: Unit, ticket: Row & { id: number }): Promise<void> {
  const able = (await suggestionsFor(unit, ticket)).filter((one) => one.refused === null);
  const near = able.filter(({ travel }) => travel !== null && travel <= RESCUE_REACH_MIN);
  const asked = near.length > 0 ? near : able;
  // Everybody who is asked can see it, even people who see only their own tickets.
  await unit.update('fms_ticket', ticket.id, { asked_ids: asked.map((one) => one.id) });
  const to = await accountsOf(unit, [...asked.map((one) => one.id), ticket.leader_id, ticket.supervisor_id]);
  await notifyOfTicket(unit, ticket, ticket.trapped === true ? 'fms.rescue' : 'fms.offered', to);
}
