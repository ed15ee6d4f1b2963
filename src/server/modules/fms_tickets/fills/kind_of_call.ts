import type { Fill } from '../../../engine/modules.ts';

/**
 * The default type of a call: a rescue with people inside, otherwise a breakdown. The first by code if there are
 * several.
 */
export const kindOfCall: Fill = {
  async run({ unit, record }) {
    const wanted = record.trapped === true ? 'rescue' : 'breakdown';
    const [own] = await unit.query<{ id: number }>(
      'select id from {ticket_definition} where ticket_type = $1 and active order by (id = $2) desc, code limit 1',
      [wanted, record.ticket_definition_id ?? null],
    );
    return { ticket_definition_id: own?.id ?? record.ticket_definition_id ?? null };
  },
};
