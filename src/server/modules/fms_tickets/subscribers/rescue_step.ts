import type { Subscriber } from '../../../engine/modules.ts';
import { accountsOf, headsOf, notifyOfTicket } from '../ticket_people.ts';

/** A call to the car this shortly before the reminder makes it unnecessary. */
const CALLED_MS = 5 * 60_000;

/**
 * The next step of the rescue ladder (section 4): nobody accepted within 3 minutes: supervisor and branch manager;
 * within 5: the desk must phone; late arrival: head of service. Every 10 minutes until all are out the desk is reminded
 * to call the car, unless it has just done so.
 */
export const rescueStep: Subscriber = {
  async run({ event, unit }) {
    const ticket = await unit.read('fms_ticket', event.of!.id);
    if (ticket.trapped !== true || ticket.all_out_at) return;
    const { branch_manager: manager, head } = await headsOf(unit, ticket.branch_id);
    const desk = typeof ticket.coordinator_id === 'number' ? [ticket.coordinator_id] : [];
    const band = String(event.payload.band);
    if (band.startsWith('rescue_call_')) {
      const rows = Array.isArray(ticket.desk_calls) ? (ticket.desk_calls as { at: string }[]) : [];
      const last = Math.max(0, ...rows.map(({ at }) => Date.parse(at)));
      if (unit.at.getTime() - last >= CALLED_MS)
        await notifyOfTicket(unit, ticket, 'fms.rescue_call', desk, { minutes: band.replace('rescue_call_', '') });
      return;
    }
    const step = { rescue_supervisor: 1, rescue_desk: 2, rescue_head: 3 }[band] ?? 0;
    if (step > Number(ticket.rescue_step ?? 0)) await unit.update('fms_ticket', ticket.id, { rescue_step: step });
    if (band === 'rescue_supervisor')
      await notifyOfTicket(unit, ticket, 'fms.rescue_waits', await accountsOf(unit, [ticket.supervisor_id, manager]), {
        minutes: '3',
      });
    if (band === 'rescue_desk')
      await notifyOfTicket(unit, ticket, 'fms.rescue_phone', [...desk, ...(await accountsOf(unit, [manager]))], {
        minutes: '5',
      });
    if (band === 'rescue_head' && !ticket.responded_at)
      await notifyOfTicket(unit, ticket, 'fms.rescue_late', [...desk, ...(await accountsOf(unit, [head, manager]))]);
  },
};
