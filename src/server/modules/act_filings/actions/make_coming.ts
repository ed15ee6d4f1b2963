import type { Action } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { makeFilings } from '../make_filings.ts';

/** Creates the filings of the next 90 days now instead of at night. */
export const makeComing: Action = {
  async run({ unit }) {
    const units = await unit.query<{ id: number }>(
      'select id from {compliance_unit} where entity_id = $1 and active order by id',
      [unit.session.entityId],
    );
    const made = await makeFilings(
      unit,
      units.map(({ id }) => id),
      dayIn(placeOf(unit.session).timezone),
    );
    return { done: made === 0 ? 'All filings for the next 90 days already exist.' : `${made} filings were created.` };
  },
};
