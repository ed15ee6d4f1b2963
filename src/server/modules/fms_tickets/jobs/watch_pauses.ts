import type { Job } from '../../../engine/modules.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';

interface Paused {
  id: number;
  reason: string;
  hours: string;
}

/** Notifies the technician and the supervisor once of a pause that lasts longer than its category allows. */
export const watchPauses: Job = {
  elevated: true,
  async run({ company, each }) {
    let notified = 0;
    await each(
      (unit) =>
        unit.query<Paused>(
          `select t.id, c.name as reason, trim_scale(c.max_hours)::text as hours from {fms_ticket} t
           join {pause_category} c on c.id = t.pause_category_id
           where t.entity_id = $1 and t.active and t.status = 'paused' and t.pause_ends_at <= $2::timestamptz order by t.id limit 100`,
          [company, unit.now.toISOString()],
        ),
      async (unit, tickets) => {
        for (const { id, reason, hours } of tickets) {
          const ticket = await unit.update('fms_ticket', id, { pause_ends_at: null });
          const people = await accountsOf(unit, [ticket.technician_id, ticket.supervisor_id]);
          await notifyOfTicket(unit, ticket, 'fms.pause_long', people, { reason, hours });
          notified++;
        }
        return tickets.at(-1)!.id;
      },
    );
    return `${notified} long pauses notified.`;
  },
};
