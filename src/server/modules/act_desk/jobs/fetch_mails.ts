import { tableName } from '../../../db/tables.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Mailbox, ReceivedMail } from '../../../services/mail/mailbox.ts';
import { MailboxError, openMailbox } from '../../../services/mail/mailbox.ts';
import { raiseByMail, takeMail } from '../incoming_mail.ts';

const TYPE = 'ticket_mailbox';
/** Mails of one mailbox in one run; the others follow in the next one. */
const PER_RUN = 50;

interface TicketMailbox extends Mailbox {
  id: number;
  name: string;
  service_id: number | null;
  branch_id: number;
  read_validity: string | null;
  read_uid: number | null;
}

/** @returns whether the mail was taken; one that was not stays unread, for people to see */
async function process(unit: Unit, box: TicketMailbox, mail: ReceivedMail): Promise<boolean> {
  const outcome = await takeMail(unit, mail);
  if (!('refused' in outcome)) return true;
  if (outcome.namesTicket || box.service_id === null) return false;
  return (await raiseByMail(unit, mail, { serviceId: box.service_id, branchId: box.branch_id })) !== null;
}

/**
 * Reads the mailboxes of the service desk. A mail and the number up to which the mailbox is read are stored together, so
 * that each mail is processed once. The first time only that number is stored: older mails were for people.
 */
export const fetchMails: Job = {
  elevated: true,
  async run({ actor: { tenant }, company, services, each }) {
    const table = tableName(tenant.schema, TYPE);
    const boxes = await tenant.db.query<TicketMailbox>(
      `select id, name, host, port, security, username, password, folder, service_id, branch_id, read_validity, read_uid
       from ${table} where entity_id = $1 and active and password is not null order by id`,
      [company],
    );
    const said: string[] = [];
    for (const box of boxes) {
      const result = await readBox(box).catch((error: unknown) => {
        if (error instanceof MailboxError) return error.message;
        throw error;
      });
      await tenant.db.query(`update ${table} set last_read_at = now(), last_result = $2 where id = $1`, [
        box.id,
        result.slice(0, 250),
      ]);
      said.push(`${box.name}: ${result}`);
    }
    return said.length === 0 ? 'No mailbox is set up.' : said.join(' ');

    async function readBox(box: TicketMailbox): Promise<string> {
      const password = services.openSecret(box.password, `${TYPE}.password`);
      if (password === null) return 'The password cannot be read any more. Enter it again.';
      const mailbox = await openMailbox({ ...box, password });
      try {
        const { validity, uid } = mailbox.end;
        if (box.read_validity !== validity || box.read_uid === null) {
          await tenant.db.query(`update ${table} set read_validity = $2, read_uid = $3 where id = $1`, [
            box.id,
            validity,
            uid,
          ]);
          return 'Connected. Mails that arrive from now on are read.';
        }
        const mails = await mailbox.unread(box.read_uid, PER_RUN);
        const taken: number[] = [];
        for (const mail of mails)
          await each<ReceivedMail>(
            (_unit, after) => Promise.resolve(after === mail.uid ? [] : [mail]),
            async (person) => {
              const unit = person.elevated();
              let isTaken = false;
              const refused = await unit.attempt(async () => {
                isTaken = await process(unit, box, mail);
              });
              if (!refused && isTaken) taken.push(mail.uid);
              await unit.query(`update {${TYPE}} set read_uid = $2 where id = $1`, [box.id, mail.uid]);
              return mail.uid;
            },
          );
        await mailbox.markRead(taken);
        const left = mails.length - taken.length;
        return `Mails read: ${taken.length}.${left > 0 ? ` Left unread for people: ${left}.` : ''}`;
      } finally {
        await mailbox.close();
      }
    }
  },
};
