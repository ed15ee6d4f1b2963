import type { Action } from '../../../engine/modules.ts';

/**
 * Applies the current times of a slab, or the current slab of a service, to open tickets. The clocks are computed from
 * the log, so used and paused time stay counted.
 */
export const applyToOpen: Action = {
  async run({ unit, record }) {
    const isService = record!.slab_id !== undefined;
    const open = await unit.query<{ id: number }>(
      `select id from {ticket} where entity_id = $1 and ${isService ? 'service_id' : 'slab_id'} = $2
         and status in ('new', 'pending_approval', 'assigned', 'in_progress', 'paused') order by id`,
      [unit.session.entityId, record!.id],
    );
    await unit.lock(open.map(({ id }) => ({ type: 'ticket', id })));
    let renewed = 0;
    for (const { id } of open) {
      const slab = isService ? record!.slab_id : record!.id;
      if (await unit.takeAuto('ticket', id, 'renew_times', { slab_id: slab })) renewed++;
    }
    if (renewed === 0) return { done: 'No ticket is open.' };
    return { done: renewed === 1 ? '1 open ticket has these times.' : `${renewed} open tickets have these times.` };
  },
};
