import type { Effect } from '../../../engine/modules.ts';

/** Stores why a visit is skipped; if it is our fault, it counts as missed. */
export const noteSkip: Effect = {
  elevated: true,
  async apply({ unit, record, input }) {
    const reason = Number(input.reason);
    const [found] = await unit.query<{ fault: string | null }>('select fault from {reason} where id = $1', [reason]);
    await unit.elevated().update('scheduled_ticket', record.id, {
      skip_reason_id: reason,
      window_result: found?.fault === 'ours' ? 'missed' : null,
    });
  },
};
