import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { writeEvent } from '../write_event.ts';

type Row = Record<string, unknown>;

/** The requester of a ticket, who wrote a mail about it: the name, and the address if it is known. */
async function writer(unit: Unit, ticket: Readonly<Row>): Promise<{ name: string; mail: string | null }> {
  const [member] = await unit.query<{ name: string; mail: string | null }>(
    'select name, coalesce(work_email, personal_email) as mail from {employee} where id = $1',
    [ticket.requester_id ?? null],
  );
  const own = ticket.requester_mail as string | null;
  return {
    name: member?.name ?? String(ticket.requester_name ?? own ?? 'Requester'),
    mail: own ?? member?.mail ?? null,
  };
}

/** Answers a mail; the subject names the ticket, so that a reply is added to it. */
export async function answerByMail(unit: Unit, ticket: Readonly<Row>, to: string | null, text: string): Promise<void> {
  if (to === null) return;
  const subject = `${String(ticket.ticket_no)}: ${String(ticket.subject)}`;
  await unit.post({ address: to, subject, text, prints: [], purpose: 'notification' });
}

/** A message of the requester that came by mail; a ticket that was reopened by it says so to them. */
export const mailed: Effect = {
  elevated: true,
  async apply({ unit, record, before }) {
    const all = unit.elevated();
    const { name, mail } = await writer(all, record);
    const message = { at: unit.at.toISOString(), by_name: name, from_requester: true, text: record.reply_text };
    const replies = Array.isArray(record.replies) ? (record.replies as Row[]) : [];
    await all.update('ticket', record.id, { replies: [...replies, message], reply_text: null });
    await writeEvent(all, record, 'replied', { to: 'By the requester', by: name });
    await all.takeAuto('ticket', record.id, 'resume_by_reply');
    if (record.status === before?.status) return;
    await writeEvent(all, record, 'reopened', { by: name });
    await answerByMail(
      all,
      record,
      mail,
      `Thank you for your message. Ticket ${String(record.ticket_no)} is open again.`,
    );
  },
};

/** A message about a ticket that can no longer be reopened becomes a new ticket that names the old one. */
export const mailedLate: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const { name, mail } = await writer(all, record);
    await all.update('ticket', record.id, { reply_text: null });
    const made = await all.create('ticket', {
      channel: 'mail',
      service_id: record.service_id,
      subject: record.subject,
      description: record.reply_text,
      branch_id: record.branch_id,
      requester_id: record.requester_id,
      on_behalf_of_id: record.on_behalf_of_id,
      requester_name: record.requester_name ?? name,
      requester_mail: mail,
      follows_id: record.id,
    });
    const [old, later] = [String(record.ticket_no), String(made.ticket_no)];
    await answerByMail(
      all,
      made,
      mail,
      `Thank you for your message. Ticket ${old} is closed and can no longer be reopened. Your message is the new ticket ${later}; please mention this number from now on.`,
    );
  },
};
