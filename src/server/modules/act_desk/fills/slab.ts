import type { Fill } from '../../../engine/modules.ts';

/** The slab of a ticket: that of its service when it was raised; later changes do not affect it. */
export const slab: Fill = {
  async run({ unit, record }) {
    const [service] = await unit.query<{ slab_id: number }>('select slab_id from {service} where id = $1', [
      record.service_id ?? null,
    ]);
    return { slab_id: service?.slab_id ?? null };
  },
};
