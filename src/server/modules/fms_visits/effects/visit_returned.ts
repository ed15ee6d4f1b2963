import type { Effect } from '../../../engine/modules.ts';

/** When the ticket of a visit is cancelled, the visit is planned again. */
export const visitReturned: Effect = {
  elevated: true,
  locks: ({ record }) =>
    Promise.resolve(
      typeof record.scheduled_ticket_id === 'number'
        ? [{ type: 'scheduled_ticket', id: record.scheduled_ticket_id }]
        : [],
    ),
  async apply({ unit, record }) {
    if (typeof record.scheduled_ticket_id === 'number')
      await unit.elevated().takeAuto('scheduled_ticket', record.scheduled_ticket_id, 'take_back');
  },
};
