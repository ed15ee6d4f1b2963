import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Guard } from '../../../engine/modules.ts';

/** Only a month that is over can be closed. */
export const monthIsOver: Guard = {
  check({ unit, record }) {
    const isOver = String(record.month) < dayIn(placeOf(unit.session).timezone).slice(0, 7);
    return Promise.resolve(isOver ? [] : [{ field: 'month', message: 'Only a month that is over can be closed.' }]);
  },
};
