import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Effect } from '../../../engine/modules.ts';
import { writeScores } from '../score_rows.ts';

/** Stores the scores of a month when it is closed. */
export const freezeScores: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const today = dayIn(placeOf(unit.session).timezone, unit.now.getTime());
    await writeScores(unit.elevated(), String(record.month), today, {
      frozen: true,
      revision: Number(record.revision_no ?? 1),
    });
  },
};

/** A reopened month is scored every night until it is closed again. */
export const thawScores: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await unit
      .elevated()
      .query('update {chk_score_snapshot} set frozen = false where entity_id = $1 and month = $2', [
        unit.session.entityId,
        record.month,
      ]);
  },
};
