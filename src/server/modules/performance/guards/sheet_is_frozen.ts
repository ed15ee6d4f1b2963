import { monthTitle } from '../../../../domain/month_names.ts';
import type { Guard } from '../../../engine/modules.ts';

/** A year is closed only when all its periods are frozen. */
export const sheetIsFrozen: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const [open] = await person
      .elevated()
      .query<{ month: string }>(
        `select month from {kpi_actual} where sheet_id = $1 and active and status <> 'frozen' order by month limit 1`,
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
