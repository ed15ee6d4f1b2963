import { formatDate } from '../../../../descriptor/format.ts';
import type { Guard } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { worksAt } from '../working_calendar_of.ts';

/** A visit may move only to today or a later working day of its branch. */
export const mayWorkThen: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const day = String(record.planned_on);
    if (day < dayIn(placeOf(unit.session).timezone))
      return [{ field: 'planned_on', message: `${formatDate(day)} is over. Choose today or a later day.` }];
    const works = await worksAt(unit, record.branch_id as number | null, { from: day, to: day });
    return works(day)
      ? []
      : [
          {
            field: 'planned_on',
            message: `Nobody works on ${formatDate(day)}: it is a holiday or week-off of the branch.`,
          },
        ];
  },
};
