import type { Guard } from '../../../engine/modules.ts';
import { readableDay } from '../contract_lines.ts';

/** A cancellation must respect the notice period of its category, unless the person may back-date. */
export const noticeKept: Guard = {
  check({ unit, record: { last_day: last, earliest_day: earliest } }) {
    if (typeof last !== 'string' || typeof earliest !== 'string' || last >= earliest) return Promise.resolve([]);
    if (unit.session.rights.refuseAction('FMS_BACKDATE') === null) return Promise.resolve([]);
    return Promise.resolve([
      {
        field: 'last_day',
        message: `The notice ends on ${readableDay(earliest)}. Choose that day or a later one, or ask somebody with the right to back-date.`,
      },
    ]);
  },
};
