import type { Effect } from '../../../engine/modules.ts';

/** Records the old and new day of a moved visit, and who moved it. */
export const noteMove: Effect = {
  elevated: true,
  async apply({ unit, record, before }) {
    if (before === null || before.planned_on === record.planned_on) return;
    const { userId } = unit.session;
    await unit.elevated().update('scheduled_ticket', record.id, {
      moved: {
        add: [
          {
            at: unit.at.toISOString(),
            from_day: before.planned_on,
            to_day: record.planned_on,
            by_id: userId === 0 ? null : userId,
          },
        ],
      },
    });
  },
};
