import { numbersInSubject, writtenInMail } from '../../../domain/act_desk/mail_text.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { MailAttachment } from '../../services/mail/mailbox.ts';
import { answerByMail } from './effects/mailed.ts';
import { attachToTicket, storeAttachments } from './mail_files.ts';
import { reopening } from './reopening.ts';

type Row = Record<string, unknown>;

/** A mail to the service desk. */
export interface IncomingMail {
  sender: string;
  subject: string;
  text: string;
  /** Written by a program. */
  automatic: boolean;
  attachments?: readonly MailAttachment[];
  /** Too large to be read completely. */
  isCut?: boolean;
}

/** What became of a mail: in words, or why it is not taken, with the part of it that is to blame. */
export type MailOutcome =
  | { done: string }
  | { refused: { field: 'sender' | 'subject' | 'text'; message: string }; namesTicket: boolean };

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

/** States in which a ticket takes no messages, not even as a new ticket. */
const ENDED = ['cancelled', 'rejected', 'merged'];

const joined = (text: string, note: string): string =>
  [text.slice(0, MAX_LENGTH - note.length - 2), note].filter((one) => one !== '').join('\n\n');

/**
 * Adds a mail to the open ticket that its subject names; a solved or closed one is reopened while its service allows that,
 * and later becomes a new ticket that names it. `store`: where its attachments go.
 */
export async function takeMail(unit: Unit, mail: IncomingMail, store?: FileStore): Promise<MailOutcome> {
  const refuse = (field: 'sender' | 'subject' | 'text', message: string, namesTicket = true): MailOutcome => ({
    refused: { field, message },
    namesTicket,
  });
  if (mail.automatic) return { done: 'An automatic answer: it is ignored.' };
  const ticket = await ticketNamed(unit, mail.subject);
  if (!ticket)
    return refuse(
      'subject',
      'The subject names no ticket that you see. Add the number of the ticket, or raise a new one.',
      false,
    );
  const written = writtenInMail(mail.text);
  if (written === '' && !mail.attachments?.length)
    return refuse('text', 'The mail has no text of its own. Enter what it says.');
  const no = String(ticket.ticket_no);
  if (!(await isRequesters(unit, ticket, mail.sender)))
    return refuse('sender', `Ticket ${no} was not raised by this address.`);
  const since = unit.now.getTime() - LOOP_MS;
  const recent = ((ticket.replies as Row[] | null) ?? []).filter(
    ({ at, from_requester: from }) => from === true && Date.parse(String(at)) > since,
  );
  if (recent.length >= MAX_MESSAGES)
    return { done: `More than ${MAX_MESSAGES} messages within ten minutes: this one is ignored.` };
  if (ENDED.includes(String(ticket.status)))
    return refuse('subject', `Ticket ${no} takes no messages: it was cancelled or merged.`);
  const { files, note } = await storeAttachments(unit, store, mail);
  const text = joined(written, note);
  const take = async (id: number, step: string) => {
    const isTaken = await unit.takeAuto('ticket', id, step, { reply_text: text });
    if (isTaken && step !== 'mail_late') await attachToTicket(unit, id, files);
    return isTaken;
  };
  if (await take(ticket.id, 'mail_reply')) return { done: `The message is added to ticket ${no}.` };
  if ((await reopening(unit, ticket)).isOpen) {
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
  await take(ticket.id, 'mail_late');
  const [made] = await follows();
  if (made) await attachToTicket(unit, made.id, files);
  return { done: `Ticket ${no} is closed: the message is the new ticket ${made?.ticket_no ?? ''}.` };
}

/**
 * Raises a ticket for a mail that names none: for a member of staff by the address, for anybody else if the service is
 * open to outsiders. @returns what was done; null = the sender may not raise one
 */
export async function raiseByMail(
  unit: Unit,
  mail: IncomingMail & { senderName: string },
  { serviceId, branchId, store }: { serviceId: number; branchId: number | null; store?: FileStore },
): Promise<string | null> {
  const { sender } = mail;
  const [member] = await unit.query<{ id: number; branch_id: number | null }>(
    `select id, branch_id from {employee} where entity_id = $1 and active and status <> 'left' and lower($2) in (lower(work_email), lower(personal_email)) order by id limit 1`,
    [unit.session.entityId, sender],
  );
  const [service] = await unit.query<{ external: boolean | null }>(
    'select external_requesters as external from {service} where id = $1',
    [serviceId],
  );
  if (!member && service?.external !== true) return null;
  const [recent] = await unit.query<{ count: number }>(
    `select count(*)::int as count from {ticket} where entity_id = $1 and channel = 'mail' and created_at > $2::timestamptz and (requester_id = $3 or lower(requester_mail) = lower($4))`,
    [unit.session.entityId, new Date(unit.now.getTime() - LOOP_MS).toISOString(), member?.id ?? null, sender],
  );
  if (recent!.count >= MAX_MESSAGES)
    return `More than ${MAX_MESSAGES} tickets of ${sender} within ten minutes: this mail is ignored.`;
  const { files, note } = await storeAttachments(unit, store, mail);
  const subject = mail.subject.trim() || 'Mail without a subject';
  const ticket = await unit.create('ticket', {
    channel: 'mail',
    service_id: serviceId,
    subject: subject.slice(0, 200),
    description: joined(writtenInMail(mail.text), note) || subject,
    branch_id: member?.branch_id ?? branchId,
    ...(member ? { requester_id: member.id } : { requester_name: mail.senderName.slice(0, 120) }),
    requester_mail: sender,
  });
  await attachToTicket(unit, ticket.id, files);
  await answerByMail(
    unit,
    ticket,
    sender,
    `Thank you for your message. It is ticket ${String(ticket.ticket_no)}; please leave this number in the subject of your replies.`,
  );
  return `Ticket ${String(ticket.ticket_no)} was raised by ${sender}.`;
}
