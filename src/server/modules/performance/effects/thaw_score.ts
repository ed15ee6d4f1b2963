import type { Effect } from '../../../engine/modules.ts';

/** The score of a reopened month may change again; it stays as it is until an update changes. */
export const thawScore: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const scores = await unit.query<{ id: number }>(
      'select id from {kpi_score} where sheet_id = $1 and month = $2 and frozen and active',
      [record.sheet_id, record.month],
    );
    for (const { id } of scores) await unit.update('kpi_score', id, { frozen: false });
  },
};
