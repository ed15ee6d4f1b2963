import type { Action } from '../../../engine/modules.ts';
import { makeFilingsOfEvent } from '../make_filings.ts';

/** Creates the filings required by an event of a registration. */
export const enterEvent: Action = {
  async run({ unit, input }) {
    const registration = await unit.read('compliance_unit', Number(input.of_unit_id));
    const made = await makeFilingsOfEvent(unit, {
      unitId: registration.id,
      eventType: String(input.event_type),
      happenedOn: String(input.happened_on),
    });
    return {
      done:
        made === 0
          ? 'No further filing follows from this event. Check the returns of the registration and the event of their forms.'
          : `${made} ${made === 1 ? 'filing was' : 'filings were'} made.`,
    };
  },
};
