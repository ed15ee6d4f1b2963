import type { Impact, Urgency } from '../../../../domain/act_desk/priority.ts';
import { moreUrgent } from '../../../../domain/act_desk/priority.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import { AppError } from '../../../db/errors.ts';
import { ownMatrix } from '../fills/priority.ts';
import { notice } from './notice.ts';

const OPEN = ['new', 'assigned', 'in_progress', 'paused'];

/** The action of a slab's band besides its message: raise the priority, or forward the ticket to the manager. */
export const onBand: Subscriber = {
  async run({ event, unit }) {
    const ticket = await unit.read('ticket', event.of!.id).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return null;
      throw error;
    });
    if (!ticket || !OPEN.includes(String(ticket.status))) return;
    const id = Number(/^band_(\d+)$/.exec(String(event.payload.band))?.[1] ?? 0);
    const [band] = await unit.query<{ action: string | null; level: number; esclation_id: number | null }>(
      'select action, level, esclation_id from {slab.bands} where id = $1',
      [id],
    );
    if (band) await notice(unit, ticket.id, 'band', { level: band.level, rule: band.esclation_id });
    if (band?.action === 'raise_priority') {
      const urgency = moreUrgent(ticket.impact as Impact, ticket.urgency as Urgency, await ownMatrix(unit));
      if (urgency) await unit.takeAuto('ticket', ticket.id, 'raise_priority', { urgency, impact: ticket.impact });
    }
    if (band?.action === 'assign_manager' && ticket.assignee_id !== null) {
      const [above] = await unit.query<{ id: number }>(
        `select m.id from {employee} e join {employee} m on m.id = e.reporting_to_id and m.status <> 'left' where e.id = $1`,
        [ticket.assignee_id],
      );
      if (above) await unit.takeAuto('ticket', ticket.id, 'hand_to_manager', { assignee_id: above.id });
    }
  },
};

/** Marks a ticket as breached. The mark is permanent. */
export const onBreach = (field: 'response_breached' | 'resolution_breached'): Subscriber => ({
  async run({ event, unit }) {
    const [ticket] = await unit.query<{ answered: boolean | null; status: string }>(
      'select answered, status from {ticket} where id = $1',
      [event.of!.id],
    );
    if (!ticket || (field === 'response_breached' && ticket.answered)) return;
    await unit.update('ticket', event.of!.id, { [field]: true });
    // A past ticket of an import is only marked.
    if (ticket.status !== 'closed') await notice(unit, event.of!.id, 'breach');
  },
});
