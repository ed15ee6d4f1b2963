import { monthTitle } from '../../../../domain/month_names.ts';
import type { Guard } from '../../../engine/modules.ts';
import { OPEN_UPDATE } from '../period_lock.ts';

/** A year is closed only when all its periods are frozen, and none of them is reopened. */
export const sheetIsFrozen: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const [open] = await person
      .elevated()
      .query<{ month: string }>(
        `select a.month from {kpi_actual} a where a.sheet_id = $1 and ${OPEN_UPDATE} order by a.month limit 1`,
        [record.id],
      );
    return open
      ? [
          {
            field: 'status',
            message: `The updates of ${monthTitle(open.month)} are not frozen yet. Freeze them first.`,
          },
        ]
      : [];
  },
};
