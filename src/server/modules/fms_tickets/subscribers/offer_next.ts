import type { Subscriber } from '../../../engine/modules.ts';
import { suggestionsFor } from '../suggestions.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { assignmentsOf } from '../ticket_rows.ts';

/**
 * An unassigned ticket is offered to the best technician who has not declined, if its type assigns automatically,
 * otherwise to the team leader; if nobody is left, desk and supervisor are notified.
 */
export const offerNext: Subscriber = {
  async run({ event, unit }) {
    const ticket = await unit.read('fms_ticket', event.of!.id).catch(() => null);
    if (!ticket || ticket.status !== 'new' || ticket.offered_to_all === true || ticket.source === 'schedule') return;
    // The desk confirms a call from a QR label before anybody is sent.
    if (ticket.source === 'qr' && !ticket.confirmed_at) return;
    const [definition] = await unit.query<{ assign: string }>('select assign from {ticket_definition} where id = $1', [
      ticket.ticket_definition_id,
    ]);
    if (!definition || definition.assign === 'manual') return;
    const asked = new Set(assignmentsOf(ticket).map((row) => row.employee_id));
    const able = (await suggestionsFor(unit, ticket)).filter(({ id, refused }) => refused === null && !asked.has(id));
    const members =
      definition.assign === 'route_team'
        ? new Set(
            (
              await unit.query<{ id: number }>(
                'select m.employee_id as id from {team.members} m where m.parent_id = $1',
                [ticket.team_id ?? null],
              )
            ).map(({ id }) => id),
          )
        : null;
    const next = (members && able.find(({ id }) => members.has(id))) ?? able[0];
    if (next) {
      await unit.transition('fms_ticket', ticket.id, 'assign', { technician_id: next.id });
      return;
    }
    const to = [
      ...(typeof ticket.coordinator_id === 'number' ? [ticket.coordinator_id] : []),
      ...(await accountsOf(unit, [ticket.leader_id, ticket.supervisor_id])),
    ];
    await notifyOfTicket(unit, ticket, 'fms.unassigned', to);
  },
};
