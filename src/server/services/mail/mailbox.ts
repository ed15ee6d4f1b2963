import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import type { Attachment } from 'postal-mime';
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
  attachments: MailAttachment[];
  /** It was too large to be read completely: its attachments are only in the mailbox. */
  isCut: boolean;
}

export interface MailAttachment {
  name: string;
  content: Uint8Array;
}

/** The last mail that was read. Numbers of mails hold as long as `validity` stays. */
export interface ReadUntil {
  validity: string;
  uid: number;
}

export interface OpenMailbox {
  /** Where reading ends now: mails that are there already have lower numbers. */
  end: ReadUntil;
  /** The numbers of unread mails after a number, oldest first. */
  unreadAfter(uid: number): Promise<number[]>;
  /** The given mails that are still in the folder and unread. */
  stillUnread(uids: readonly number[]): Promise<number[]>;
  /** A mail; null = it is no longer in the folder. @throws UnreadableMail, MailboxError */
  read(uid: number): Promise<ReceivedMail | null>;
  markRead(uid: number): Promise<void>;
  close(): Promise<void>;
}

/** Why a mailbox cannot be read, in our own words. */
export class MailboxError extends Error {
  override readonly name = 'MailboxError';
}

/** A mail that cannot be understood; who sent it and its subject as far as they can be. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';
  readonly sender: string;
  readonly subject: string;
  constructor(cause: unknown, { sender, subject }: { sender: string; subject: string }) {
    super(`The mail cannot be read: ${(cause as Error).message}`, { cause });
    this.sender = sender;
    this.subject = subject;
  }
}

const TIMEOUT_MS = 20_000;
/** Larger than what mail providers accept. */
const MAX_BYTES = 36 * 1024 * 1024;
/** Of a larger mail only this much is read: its text comes before its attachments. */
const BEGINNING_BYTES = 2 * 1024 * 1024;
/** Smaller pictures within the text are those of signatures. */
const MIN_INLINE_BYTES = 10 * 1024;

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
    return opened(client, box, { validity: String(folder.uidValidity), uid: folder.uidNext - 1 });
  } catch (error) {
    client?.close();
    throw inWords(error, box);
  }
}

function opened(client: ImapFlow, box: Mailbox, end: ReadUntil): OpenMailbox {
  /** A failure of the connection concerns the mailbox; any other one this mail. */
  const asked = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw client.usable ? error : inWords(error, box);
    });
  const unread = async (uid: string): Promise<number[]> =>
    ((await asked(client.search({ seen: false, uid }, { uid: true }))) || []).toSorted((a, b) => a - b);
  return {
    end,
    // A range up to "*" also finds the last mail, whatever its number.
    unreadAfter: async (uid) => (await unread(`${uid + 1}:*`)).filter((one) => one > uid),
    stillUnread: async (uids) => (uids.length === 0 ? [] : unread(uids.join(','))),
    async read(uid) {
      let source: Buffer | undefined;
      try {
        const of = String(uid);
        const found = await asked(client.fetchOne(of, { uid: true, size: true }, { uid: true }));
        if (!found) return null;
        const isCut = (found.size ?? 0) > MAX_BYTES;
        const part = { start: 0, maxLength: isCut ? BEGINNING_BYTES : MAX_BYTES };
        const message = await asked(client.fetchOne(of, { uid: true, source: part }, { uid: true }));
        if (!message || !message.source) return null;
        source = message.source;
        return await parsed(uid, source, isCut);
      } catch (error) {
        if (error instanceof MailboxError) throw error;
        throw new UnreadableMail(error, await headOf(source));
      }
    },
    async markRead(uid) {
      await asked(client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true }));
    },
    async close() {
      await client.logout().catch(() => client.close());
    },
  };
}

/** A text without what PostgreSQL cannot store: NUL, and halves of characters. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

async function parsed(uid: number, source: Buffer, isCut: boolean): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(source);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value.trim() ?? '';
  const sender = storable(mail.from?.address ?? '');
  const submitted = header('auto-submitted').toLowerCase();
  return {
    uid,
    sender,
    senderName: storable(mail.from?.name || sender).slice(0, MAX_SUBJECT),
    subject: storable(mail.subject ?? '').slice(0, MAX_SUBJECT),
    text: storable(mail.text ?? textOfHtml(mail.html ?? '')),
    automatic:
      sender === '' ||
      (submitted !== '' && submitted !== 'no') ||
      AUTOMATIC_PRECEDENCE.test(header('precedence')) ||
      header('list-id') !== '' ||
      ROBOTS.test(sender),
    attachments: isCut ? [] : mail.attachments.filter((one) => !isOfSignature(one)).map(attached),
    isCut,
  };
}

const isOfSignature = ({ related, disposition, mimeType, content }: Attachment): boolean =>
  (related === true || disposition === 'inline') &&
  mimeType.startsWith('image/') &&
  bytesOf(content).byteLength < MIN_INLINE_BYTES;

const attached = ({ filename, content }: Attachment, at: number): MailAttachment => ({
  name: storable(filename ?? '') || `Attachment ${at + 1}`,
  content: bytesOf(content),
});

function bytesOf(content: Attachment['content']): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

/** Who sent a mail and its subject, by its headers alone. */
async function headOf(source: Buffer | undefined): Promise<{ sender: string; subject: string }> {
  const end = source?.indexOf('\r\n\r\n') ?? -1;
  const head = await PostalMime.parse(source?.subarray(0, end === -1 ? 0 : end) ?? '').catch(() => null);
  return {
    sender: storable(head?.from?.address ?? '').slice(0, MAX_SUBJECT),
    subject: storable(head?.subject ?? '').slice(0, MAX_SUBJECT),
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
