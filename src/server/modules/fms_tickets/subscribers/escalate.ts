import type { Subscriber } from '../../../engine/modules.ts';
import { AppError } from '../../../db/errors.ts';
import type { RescueRole } from '../ticket_people.ts';
import { notifyOfTicket, peopleAt } from '../ticket_people.ts';

const NAMES: Record<string, string> = { accept: 'acceptance', respond: 'arrival on site', restore: 'repair' };

/** An escalation of the ticket definition is due: notifies its recipients by its channels. */
export const escalate = (clock: 'accept' | 'respond' | 'restore'): Subscriber => ({
  async run({ event, unit }) {
    const ticket = await unit.read('fms_ticket', event.of!.id).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return null;
      throw error;
    });
    if (!ticket) return;
    // The first arrival on site counts as the response, whoever takes over later.
    if (clock === 'respond' && ticket.responded_at) return;
    const [, to = '', percent = ''] = /^(.+)_(\d+)$/.exec(String(event.payload.band)) ?? [];
    const [line] = await unit.query<{ by: string[] | null }>(
      `select e.by from {ticket_definition.escalations} e where e.parent_id = $1 and e.clock = $2 and e."to" = $3 and e.at_percent = $4`,
      [ticket.ticket_definition_id, clock, to, Number(percent)],
    );
    const by = line?.by ?? ['app', 'push'];
    await notifyOfTicket(
      unit,
      ticket,
      'fms.escalated',
      await peopleAt(unit, ticket, to as RescueRole),
      {
        clock: NAMES[clock]!,
        percent,
      },
      { inApp: by.includes('app'), push: by.includes('push'), mail: by.includes('mail') },
    );
  },
});
