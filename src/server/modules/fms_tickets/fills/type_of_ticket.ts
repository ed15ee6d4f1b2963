import type { Fill } from '../../../engine/modules.ts';

/** The kind of work of the ticket's type. */
export const typeOfTicket: Fill = {
  async run({ unit, record }) {
    const [definition] = await unit.query<{ ticket_type: string }>(
      'select ticket_type from {ticket_definition} where id = $1',
      [record.ticket_definition_id ?? null],
    );
    return { ticket_type: definition?.ticket_type ?? null };
  },
};
