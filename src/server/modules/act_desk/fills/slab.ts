import type { Fill } from '../../../engine/modules.ts';

/** The promises of a ticket: those of its service at that moment; they stay when the service gets others. */
export const slab: Fill = {
  async run({ unit, record }) {
    const [service] = await unit.query<{ slab_id: number }>('select slab_id from {service} where id = $1', [
      record.service_id ?? null,
    ]);
    return { slab_id: service?.slab_id ?? null };
  },
};
