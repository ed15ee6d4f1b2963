import type { Effect } from '../../../engine/modules.ts';
import { accountsOf, headsOf, notifyOfTicket } from '../ticket_people.ts';

/** All people are out: notifies everybody alerted by the ladder, and opens an incident for injuries. */
export const released: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const { branch_manager: manager, head } = await headsOf(all, record.branch_id);
    const to = [
      ...(typeof record.coordinator_id === 'number' ? [record.coordinator_id] : []),
      ...(await accountsOf(all, [record.leader_id, record.supervisor_id, manager, head])),
    ];
    const injured = Number(record.injured_count ?? 0);
    if (injured > 0) await all.make('incident', { type: 'fms_ticket', id: record.id });
    await notifyOfTicket(all, record, 'fms.released', to, {
      people: String(record.trapped_count ?? 0),
      injured: String(injured),
    });
  },
};
