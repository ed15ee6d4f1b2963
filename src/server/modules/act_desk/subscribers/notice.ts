import type { Subscriber } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** Queues ticket events for the rules of Mail configuration, and processes them at once. */
export async function notice(
  unit: Unit,
  ticket: number,
  event: string,
  { level = null, rule = null }: { level?: number | null; rule?: number | null } = {},
): Promise<void> {
  await unit.createMany('escalation_waiting', [
    {
      happened_at: unit.now.toISOString(),
      module: 'ticket',
      event,
      level,
      esclation_id: rule,
      record_type: 'ticket',
      record_id: ticket,
    },
  ]);
  unit.enqueue('send_notices', {}, 'send_notices');
}

/** An event of tickets, by its name in the rules. Nobody is notified of a past ticket that was imported as closed. */
export const onHappening = (event: string): Subscriber => ({
  async run({ event: happened, unit }) {
    const { id } = happened.of!;
    if (event === 'created') {
      const [ticket] = await unit.query<{ status: string }>('select status from {ticket} where id = $1', [id]);
      if (ticket?.status === 'closed') return;
    }
    await notice(unit, id, event);
  },
});
