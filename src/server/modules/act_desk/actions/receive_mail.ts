import type { Action } from '../../../engine/modules.ts';
import { takeMail } from '../incoming_mail.ts';

/** A mail about a ticket, entered by the desk or passed on by its mail server. */
export const receiveMail: Action = {
  async run({ unit, input }) {
    if (unit.session.rights.refuseAction('TKT_INTERNAL') !== null)
      return unit.refuse([
        { field: 'sender', message: 'Only the service desk enters mails, with the action TKT_INTERNAL.' },
      ]);
    const outcome = await takeMail(unit, {
      sender: String(input.sender),
      subject: String(input.subject),
      text: String(input.text),
      automatic: input.automatic === true,
    });
    return 'refused' in outcome ? unit.refuse([outcome.refused]) : outcome;
  },
};
