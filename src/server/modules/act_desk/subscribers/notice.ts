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

/** An event of tickets, by its name in the rules. */
export const onHappening = (event: string): Subscriber => ({
  run: async ({ event: happened, unit }) => notice(unit, happened.of!.id, event),
});
