import type { Effect } from '../../../engine/modules.ts';
import { dayAt } from '../day_at.ts';
import { pausesOf } from '../ticket_rows.ts';

/** Work continues and the pause ends. Resuming on another day is a new attendance. */
export const resumed: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const at = unit.at.toISOString();
    const rows = pausesOf(record);
    const open = rows.find(({ to }) => !to);
    const minutes = open ? Math.round((Date.parse(at) - Date.parse(open.from)) / 60_000) : 0;
    const otherDay = open && dayAt(unit, record, open.from) !== dayAt(unit, record, at);
    await unit.elevated().update('fms_ticket', record.id, {
      pauses: rows.map((row) => (row.to ? row : { ...row, to: at })),
      paused_min: Number(record.paused_min ?? 0) + minutes,
      ...(otherDay && { attendances: Number(record.attendances ?? 0) + 1 }),
    });
  },
};
