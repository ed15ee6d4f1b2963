import type { Action } from '../../../engine/modules.ts';

/** Fills a receipt with the parts that a technician still has to hand over. */
export const fillDues: Action = {
  async run({ unit, record }) {
    const dues = await unit.query<{ id: number; item: number; open: string; serial: string | null }>(
      `select id, item_id as item, (qty - received_qty)::text as open, old_serial_no as serial from {mr_return_due}
       where active and entity_id = $1 and technician_id = $2 and state in ('due', 'handed_over') order by due_on, id limit 100`,
      [unit.session.entityId, record?.technician_id ?? null],
    );
    if (dues.length === 0) return { done: 'Nothing is due from this technician.' };
    return {
      set: {
        lines: dues.map(({ id, item, open, serial }) => ({
          kind: 'faulty',
          return_due_id: Number(id),
          item_id: Number(item),
          qty: open,
          serial_no: serial,
          found: 'as_reported',
        })),
      },
      done: `${dues.length} ${dues.length === 1 ? 'part is' : 'parts are'} due.`,
    };
  },
};
