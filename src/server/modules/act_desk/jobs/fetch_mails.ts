import { AppError } from '../../../db/errors.ts';
import { isConnectionLoss } from '../../../db/pool.ts';
import { childTable, tableName } from '../../../db/tables.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { FileStore } from '../../../services/files/store.ts';
import { JobPaused, JobStopped } from '../../../services/jobs/definition.ts';
import type { Mailbox, ReceivedMail } from '../../../services/mail/mailbox.ts';
import { MailboxError, openMailbox, UnreadableMail } from '../../../services/mail/mailbox.ts';
import { raiseByMail, takeMail } from '../incoming_mail.ts';

const TYPE = 'ticket_mailbox';
/** Mails of one mailbox in one run; the others follow in the next one. */
const PER_RUN = 50;
/** After this many failures a mail waits until somebody asks for another attempt. */
const MAX_TRIES = 3;
/** Failed mails that are listed; of more, the oldest are no longer. */
const MAX_FAILED = 100;
/** PostgreSQL: conflicts, no resources, an operator's intervention, a system error. */
const OF_DATABASE = /^(40|53|57|58)...$/;

interface TicketMailbox extends Mailbox {
  id: number;
  name: string;
  service_id: number | null;
  branch_id: number;
  read_validity: string | null;
  read_uid: number | null;
}

interface FailedMail {
  id: number;
  uid: number;
  tries: number;
}

type Outcome = 'taken' | 'left' | 'failed' | 'gone';

/** @returns whether the mail was taken; one that was not stays unread, for people to see */
async function process(unit: Unit, box: TicketMailbox, mail: ReceivedMail, store: FileStore): Promise<boolean> {
  const outcome = await takeMail(unit, mail, store);
  if (!('refused' in outcome)) return true;
  if (outcome.namesTicket || box.service_id === null) return false;
  return (await raiseByMail(unit, mail, { serviceId: box.service_id, branchId: box.branch_id, store })) !== null;
}

/** Whether a failure is of this server or of the connection: every mail would fail, so the run is repeated instead. */
function isOfServer(error: unknown): boolean {
  if (error instanceof AppError) return error.status >= 500;
  if (error instanceof UnreadableMail) return false;
  if (error instanceof MailboxError || error instanceof JobStopped || error instanceof JobPaused) return true;
  const { code, syscall } = error as { code?: string; syscall?: string };
  return isConnectionLoss(error) || syscall !== undefined || OF_DATABASE.test(code ?? '');
}

async function readUpTo(unit: Unit, box: TicketMailbox, uid: number): Promise<void> {
  await unit.query(`update {${TYPE}} set read_uid = greatest(read_uid, $2) where id = $1`, [box.id, uid]);
}

/** Lists a mail with its failure; after the last attempt administrators learn of it. */
async function keepFailure(
  unit: Unit,
  box: TicketMailbox,
  { uid, mail, error, before }: { uid: number; mail: ReceivedMail | null; error: Error; before?: FailedMail },
): Promise<void> {
  const tries = (before?.tries ?? 0) + 1;
  const { sender, subject } = error instanceof UnreadableMail ? error : (mail ?? { sender: '', subject: '' });
  const row = { tries, error: error.message.slice(0, 250), failed_at: unit.now.toISOString() };
  const known = await unit.query<{ id: number }>(
    `select id from {${TYPE}.failed_mails} where parent_id = $1 order by id`,
    [box.id],
  );
  await unit.update(TYPE, box.id, {
    failed_mails: before
      ? { set: { [before.id]: row } }
      : {
          add: [{ uid, sender: sender.slice(0, 250) || null, subject: subject.slice(0, 250) || null, ...row }],
          remove: known.slice(0, Math.max(0, known.length + 1 - MAX_FAILED)).map(({ id }) => id),
        },
  });
  await readUpTo(unit, box, uid);
  if (tries !== MAX_TRIES) return;
  const admins = await unit.query<{ id: number }>(
    `select id from {users} where is_admin and active and status = 'active' order by id`,
  );
  await unit.notify({
    event: 'mailbox.mail_failed',
    to: admins.map(({ id }) => id),
    entityId: unit.session.entityId,
    link: `/${TYPE}/view/${box.id}`,
    groupKey: `mailbox ${box.id}`,
    values: { mailbox: box.name, mail: subject || sender || 'A mail', error: row.error },
  });
}

/**
 * Reads the mailboxes of the service desk. A mail and the number up to which the mailbox is read are stored together, so
 * that each mail is processed once. The first time only that number is stored: older mails were for people. A mail that
 * cannot be processed holds up no others: it is listed with its failure, and tried again a few times.
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

    /** One transaction, done once even if the run is repeated; `key` says what it is about. */
    async function once(key: string, work: (unit: Unit) => Promise<unknown>): Promise<void> {
      await each<string>(
        (_unit, after) => Promise.resolve(after === key ? [] : [key]),
        async (person) => {
          await work(person.elevated());
          return key;
        },
      );
    }

    async function readBox(box: TicketMailbox): Promise<string> {
      const password = services.openSecret(box.password, `${TYPE}.password`);
      if (password === null) return 'The password cannot be read any more. Enter it again.';
      const mailbox = await openMailbox({ ...box, password });
      const failed = await tenant.db.query<FailedMail>(
        `select id, uid, tries from ${childTable(tenant.schema, TYPE, 'failed_mails')} where parent_id = $1 order by uid`,
        [box.id],
      );
      const forget = async (mails: readonly FailedMail[]): Promise<void> => {
        if (mails.length === 0) return;
        await once(`forget ${mails.map(({ id }) => id).join(' ')}`, (unit) =>
          unit.update(TYPE, box.id, { failed_mails: { remove: mails.map(({ id }) => id) } }),
        );
      };
      try {
        const { validity, uid } = mailbox.end;
        if (box.read_validity !== validity || box.read_uid === null) {
          // Numbers of another folder say nothing in this one.
          await forget(failed);
          await tenant.db.query(`update ${table} set read_validity = $2, read_uid = $3 where id = $1`, [
            box.id,
            validity,
            uid,
          ]);
          return 'Connected. Mails that arrive from now on are read.';
        }
        const unread = new Set(await mailbox.stillUnread(failed.map((one) => one.uid)));
        // Somebody has read them in the mailbox, or deleted them.
        await forget(failed.filter((one) => !unread.has(one.uid)));
        const count: Record<Outcome, number> = { taken: 0, left: 0, failed: 0, gone: 0 };
        for (const before of failed.filter((one) => unread.has(one.uid) && one.tries < MAX_TRIES))
          count[await take(before.uid, before)]++;
        for (const next of (await mailbox.unreadAfter(box.read_uid)).slice(0, PER_RUN)) count[await take(next)]++;
        return [
          `Mails read: ${count.taken}.`,
          ...(count.left > 0 ? [`Left unread for people: ${count.left}.`] : []),
          ...(count.failed > 0 ? [`Failed: ${count.failed}.`] : []),
        ].join(' ');
      } finally {
        await mailbox.close();
      }

      async function take(uid: number, before?: FailedMail): Promise<Outcome> {
        let mail: ReceivedMail | null = null;
        let isTaken = false;
        try {
          const read = (mail = await mailbox.read(uid));
          if (!read) return 'gone';
          await once(`mail ${uid}`, async (unit) => {
            isTaken = await process(unit, box, read, services.files);
            await readUpTo(unit, box, uid);
            if (before) await unit.update(TYPE, box.id, { failed_mails: { remove: [before.id] } });
          });
        } catch (error) {
          if (!(error instanceof Error) || isOfServer(error)) throw error;
          await once(`failure ${uid} ${before?.tries ?? 0}`, (unit) =>
            keepFailure(unit, box, { uid, mail, error, ...(before && { before }) }),
          );
          return 'failed';
        }
        if (isTaken) await mailbox.markRead(uid);
        return isTaken ? 'taken' : 'left';
      }
    }
  },
};
