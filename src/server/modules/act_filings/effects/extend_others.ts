import type { Effect } from '../../../engine/modules.ts';

/**
 * Moves the due day of all other open filings of the same form and period, because a notification applies to everybody.
 */
export const extendOthers: Effect = {
  elevated: true,
  async apply({ unit: person, record, input }) {
    const unit = person.elevated();
    const others = await unit.query<{ id: number }>(
      `select id from {filing} where entity_id = $1 and form_id = $2 and period_from = $3 and id <> $4 and active
         and status in ('upcoming', 'in_preparation', 'under_review', 'ready') order by id`,
      [unit.session.entityId, record.form_id, record.period_from, record.id],
    );
    for (const { id } of others)
      await unit.transition('filing', id, 'extend', {
        extended_due_on: input.extended_due_on,
        extension_ref: input.extension_ref,
      });
  },
};
