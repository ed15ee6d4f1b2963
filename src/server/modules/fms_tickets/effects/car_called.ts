import type { Effect } from '../../../engine/modules.ts';

/** Records a call from the desk to the people in the car. */
export const carCalled: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const rows = Array.isArray(record.desk_calls) ? (record.desk_calls as Record<string, unknown>[]) : [];
    await unit.elevated().update('fms_ticket', record.id, {
      desk_calls: [
        ...rows,
        { at: unit.at.toISOString(), note: record.call_note ?? null, by: unit.session.userId || null },
      ],
      call_note: null,
    });
  },
};
