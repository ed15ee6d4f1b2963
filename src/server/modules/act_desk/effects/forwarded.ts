import type { Effect } from '../../../engine/modules.ts';
import { nameOf } from '../ticket_people.ts';
import { writeEvent } from '../write_event.ts';
import { assigneeByRule, deskOf } from './raised.ts';

/** Forwards a ticket to another person, group or service; its own clock continues, the new holder's starts. */
export const forwarded: Effect = {
  elevated: true,
  async apply({ unit, record, before, input }) {
    const all = unit.elevated();
    const service = (record.forward_service_id ?? record.service_id) as number;
    const desk = await deskOf(all, service);
    const group = (record.forward_group_id ??
      (record.forward_service_id ? desk?.group_role_id : record.group_role_id) ??
      null) as number | null;
    const chosen = (record.forward_to_id ?? null) as number | null;
    const byRule =
      chosen === null && desk && record.forward_service_id
        ? await assigneeByRule(all, { ...record, service_id: service }, desk)
        : null;
    const ticket = await all.update('ticket', record.id, {
      service_id: service,
      group_role_id: group,
      assignee_id: chosen ?? byRule,
      forward_to_id: null,
      forward_group_id: null,
      forward_service_id: null,
    });
    const reason = typeof input.reason === 'string' ? input.reason : null;
    const holder = async (of: Readonly<Record<string, unknown>> | null) =>
      (await nameOf(all, 'employee', of?.assignee_id)) ?? (await nameOf(all, 'role', of?.group_role_id));
    if (before && before.service_id !== service)
      await writeEvent(all, ticket, 'service', {
        from: await nameOf(all, 'service', before.service_id),
        to: await nameOf(all, 'service', service),
      });
    await writeEvent(all, ticket, 'forwarded', { from: await holder(before), to: await holder(ticket), reason });
    if (ticket.assignee_id === null) await all.takeAuto('ticket', record.id, 'to_queue');
  },
};
