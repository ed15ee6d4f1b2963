import { numbersInSubject, writtenInMail } from '../../../../domain/act_desk/mail_text.ts';
import type { Action } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { reopening } from '../reopening.ts';

type Row = Record<string, unknown>;

/** More messages than this from a requester within ten minutes are those of two programs that answer each other. */
const MAX_MESSAGES = 5;
const LOOP_MS = 10 * 60_000;
const MAX_LENGTH = 4_000;

/** The ticket that a subject names, as far as this person sees it. */
async function ticketNamed(unit: Unit, subject: string): Promise<(Row & { id: number }) | null> {
  const [found] = await unit.query<{ id: number }>(
    'select id from {ticket} where entity_id = $1 and active and lower(ticket_no) = any($2) order by id desc limit 1',
    [unit.session.entityId, numbersInSubject(subject)],
  );
  return found ? unit.read('ticket', found.id) : null;
}

async function isRequesters(unit: Unit, ticket: Row, sender: string): Promise<boolean> {
  const [member] = await unit.query(
    `select 1 from {employee} where id = any($1::bigint[]) and lower($2) in (lower(work_email), lower(personal_email))`,
    [[ticket.requester_id, ticket.on_behalf_of_id].filter((id) => typeof id === 'number'), sender],
  );
  return member !== undefined || String(ticket.requester_mail ?? '').toLowerCase() === sender.toLowerCase();
}

/**
 * A mail about a ticket, entered by the desk or passed on by its mail server. It is added to an open ticket; a solved or
 * closed one is reopened while its service allows that, and later becomes a new ticket that names it.
 */
export const receiveMail: Action = {
  async run({ unit, input }) {
    if (unit.session.rights.refuseAction('TKT_INTERNAL') !== null)
      return unit.refuse([
        { field: 'sender', message: 'Only the service desk enters mails, with the action TKT_INTERNAL.' },
      ]);
    if (input.automatic === true) return { done: 'An automatic answer: it is ignored.' };
    const [sender, subject] = [String(input.sender), String(input.subject)];
    const text = writtenInMail(String(input.text)).slice(0, MAX_LENGTH);
    if (text === '')
      return unit.refuse([{ field: 'text', message: 'The mail has no text of its own. Enter what it says.' }]);
    const ticket = await ticketNamed(unit, subject);
    if (!ticket)
      return unit.refuse([
        {
          field: 'subject',
          message: 'The subject names no ticket that you see. Add the number of the ticket, or raise a new one.',
        },
      ]);
    const no = String(ticket.ticket_no);
    if (!(await isRequesters(unit, ticket, sender)))
      return unit.refuse([{ field: 'sender', message: `Ticket ${no} was not raised by this address.` }]);
    const since = unit.now.getTime() - LOOP_MS;
    const recent = ((ticket.replies as Row[] | null) ?? []).filter(
      ({ at, from_requester: from }) => from === true && Date.parse(String(at)) > since,
    );
    if (recent.length >= MAX_MESSAGES)
      return { done: `More than ${MAX_MESSAGES} messages within ten minutes: this one is ignored.` };
    const take = async (id: number, step: string) => unit.takeAuto('ticket', id, step, { reply_text: text });
    if (await take(ticket.id, 'mail_reply')) return { done: `The message is added to ticket ${no}.` };
    if (['resolved', 'closed'].includes(String(ticket.status)) && (await reopening(unit, ticket)).isOpen) {
      await take(ticket.id, 'mail_reopen');
      return { done: `Ticket ${no} is open again.` };
    }
    const follows = async () =>
      unit.query<{ id: number; ticket_no: string }>(
        `select id, ticket_no from {ticket} where follows_id = $1 and active and status not in ('closed', 'cancelled', 'rejected', 'merged') order by id desc limit 1`,
        [ticket.id],
      );
    const [later] = await follows();
    if (later && (await take(later.id, 'mail_reply')))
      return { done: `Ticket ${no} is closed: the message is added to ticket ${later.ticket_no}, which follows it.` };
    if (!(await take(ticket.id, 'mail_late')))
      return unit.refuse([
        { field: 'subject', message: `Ticket ${no} takes no messages: it was cancelled or merged.` },
      ]);
    const [made] = await follows();
    return { done: `Ticket ${no} is closed: the message is the new ticket ${made?.ticket_no ?? ''}.` };
  },
};
