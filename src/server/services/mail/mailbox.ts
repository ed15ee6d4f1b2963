import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import PostalMime from 'postal-mime';
import { checkedAddresses } from '../network/outside_address.ts';
import { plainFailure } from '../network/plain_failure.ts';
import { textOfHtml } from './text_of_html.ts';

/** A folder of a client's mail account, read over IMAP. */
export interface Mailbox {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  username: string;
  password: string;
  folder: string;
}

export interface ReceivedMail {
  uid: number;
  sender: string;
  senderName: string;
  subject: string;
  text: string;
  /** Written by a program, by its headers: an answer to an absence, a list, a notice of non-delivery. */
  automatic: boolean;
  attachments: string[];
}

/** The last mail that was read. Numbers of mails hold as long as `validity` stays. */
export interface ReadUntil {
  validity: string;
  uid: number;
}

export interface OpenMailbox {
  /** Where reading ends now: mails that are there already have lower numbers. */
  end: ReadUntil;
  /** Unread mails after a number, oldest first. */
  unread(after: number, most: number): Promise<ReceivedMail[]>;
  markRead(uids: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

/** Why a mailbox cannot be read, in our own words. */
export class MailboxError extends Error {
  override readonly name = 'MailboxError';
}

const TIMEOUT_MS = 20_000;
/** Of a larger mail only this much is read: its text comes before its attachments. */
const MAX_BYTES = 2 * 1024 * 1024;

const MAX_SUBJECT = 300;

const AUTOMATIC_PRECEDENCE = /^(bulk|junk|list|auto_reply)$/i;
const ROBOTS = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/i;

/**
 * Opens a mailbox. Its server is looked up and checked here, and connected to at the checked address.
 * @throws MailboxError
 */
export async function openMailbox(box: Mailbox): Promise<OpenMailbox> {
  let client: ImapFlow | undefined;
  try {
    const [{ address } = { address: '' }] = await checkedAddresses(box.host);
    const { ImapFlow: Client } = await import('imapflow');
    client = new Client({
      host: address,
      port: box.port,
      secure: box.security === 'tls',
      ...(box.security !== 'tls' && { doSTARTTLS: box.security === 'starttls' }),
      ...(isIP(box.host) === 0 && { servername: box.host }),
      auth: { user: box.username, pass: box.password },
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableAutoIdle: true,
      logger: false,
    });
    // Without a listener a lost connection would end the process; the command that is waiting fails anyway.
    client.on('error', () => undefined);
    await client.connect();
    const folder = await client.mailboxOpen(box.folder);
    return opened(client, { validity: String(folder.uidValidity), uid: folder.uidNext - 1 });
  } catch (error) {
    client?.close();
    throw inWords(error, box);
  }
}

function opened(client: ImapFlow, end: ReadUntil): OpenMailbox {
  return {
    end,
    async unread(after, most) {
      const found = (await client.search({ seen: false, uid: `${after + 1}:*` }, { uid: true })) || [];
      const uids = found.filter((uid) => uid > after).toSorted((a, b) => a - b);
      const mails: ReceivedMail[] = [];
      for (const uid of uids.slice(0, most)) {
        const message = await client.fetchOne(
          String(uid),
          { uid: true, source: { start: 0, maxLength: MAX_BYTES } },
          { uid: true },
        );
        if (message && message.source) mails.push(await parsed(uid, message.source));
      }
      return mails;
    },
    async markRead(uids) {
      if (uids.length > 0) await client.messageFlagsAdd(uids.join(','), ['\\Seen'], { uid: true });
    },
    async close() {
      await client.logout().catch(() => client.close());
    },
  };
}

async function parsed(uid: number, source: Buffer): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(source);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value.trim() ?? '';
  const sender = mail.from?.address ?? '';
  const submitted = header('auto-submitted').toLowerCase();
  return {
    uid,
    sender,
    senderName: (mail.from?.name || sender).slice(0, MAX_SUBJECT),
    subject: (mail.subject ?? '').slice(0, MAX_SUBJECT),
    text: mail.text ?? textOfHtml(mail.html ?? ''),
    automatic:
      sender === '' ||
      (submitted !== '' && submitted !== 'no') ||
      AUTOMATIC_PRECEDENCE.test(header('precedence')) ||
      header('list-id') !== '' ||
      ROBOTS.test(sender),
    attachments: mail.attachments.map(({ filename }) => filename ?? 'without a name'),
  };
}

function inWords(error: unknown, { host, port, folder }: Mailbox): MailboxError {
  const { authenticationFailed, mailboxMissing } = error as {
    authenticationFailed?: boolean;
    mailboxMissing?: boolean;
  };
  const words =
    authenticationFailed === true
      ? 'The server does not accept this user name and password.'
      : mailboxMissing === true
        ? `There is no folder "${folder}" in this mailbox.`
        : plainFailure(error, `${host}, port ${port}`);
  return new MailboxError(words, { cause: error });
}
