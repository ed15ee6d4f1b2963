import type { Subscriber } from '../../../engine/modules.ts';

const PLACE = ['branch_id', 'department_id', 'designation_id'];

/** A member of staff has left, or moved: their tasks are reassigned. */
export const memberMoved: Subscriber = {
  async run({ event, unit }) {
    const fields = Array.isArray(event.payload.fields) ? (event.payload.fields as string[]) : [];
    if (!fields.includes('status') && !PLACE.some((name) => fields.includes(name))) return;
    const [member] = await unit.query<{ id: number; entity_id: number; left: boolean }>(
      `select id, entity_id, status = 'left' as left from {employee} where id = $1`,
      [event.of!.id],
    );
    if (!member || (!member.left && !PLACE.some((name) => fields.includes(name)))) return;
    unit.enqueue(
      'reassign_leavers',
      { company: member.entity_id, employee: member.id, left: member.left },
      `reassign_leavers ${member.id} ${event.id}`,
    );
  },
};
