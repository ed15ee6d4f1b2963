import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';
import type { Vault } from '../../db/vault.ts';
import { checkedAddresses } from '../network/outside_address.ts';
import { plainFailure } from '../network/plain_failure.ts';

/** The record type of a client's own SMTP accounts. */
const MAIL_ACCOUNT_TYPE = 'mail_config_setting';

/** An account for sending mail. */
export interface MailAccount {
  /** null = the platform's. */
  id: number | null;
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  username: string | null;
  password: string | null;
  fromName: string;
  fromEmail: string;
  replyTo: string | null;
  /** Maximum mails per day; null = unlimited. */
  dailyLimit: number | null;
  timeoutSeconds: number;
}

interface AccountRow {
  id: number;
  host: string;
  port: number;
  security: MailAccount['security'];
  username: string | null;
  password: string | null;
  from_name: string;
  from_email: string;
  reply_to: string | null;
  daily_limit: number | null;
  timeout_s: number | null;
  purpose: string;
}

function accountOf(row: AccountRow, vault: Vault): MailAccount {
  return {
    id: row.id,
    host: row.host,
    port: row.port,
    security: row.security,
    username: row.username,
    password: vault.open(row.password, `${MAIL_ACCOUNT_TYPE}.password`),
    fromName: row.from_name,
    fromEmail: row.from_email,
    replyTo: row.reply_to,
    dailyLimit: row.daily_limit,
    timeoutSeconds: row.timeout_s ?? 20,
  };
}

async function hasAccounts({ db, schema }: Tenant): Promise<boolean> {
  const [there] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${quoted(schema)}.${quoted(MAIL_ACCOUNT_TYPE)}`,
  ]);
  return there?.there === true;
}

const COLUMNS =
  'id, host, port, security, username, password, from_name, from_email, reply_to, daily_limit, timeout_s, purpose';

/** The client's account for a purpose: the dedicated one, otherwise the default one; null = none. */
export async function clientAccount(tenant: Tenant, purpose: string, vault: Vault): Promise<MailAccount | null> {
  if (tenant.schema === 'public' || !(await hasAccounts(tenant))) return null;
  const [row] = await tenant.db.query<AccountRow>(
    `select ${COLUMNS} from ${tableName(tenant.schema, MAIL_ACCOUNT_TYPE)} where active and purpose in ($1, 'default') order by purpose = 'default', id limit 1`,
    [purpose],
  );
  return row ? accountOf(row, vault) : null;
}

/** One of the client's accounts, active or not, for its test. */
export async function accountById(tenant: Tenant, id: number, vault: Vault): Promise<MailAccount | null> {
  if (tenant.schema === 'public' || !(await hasAccounts(tenant))) return null;
  const [row] = await tenant.db.query<AccountRow>(
    `select ${COLUMNS} from ${tableName(tenant.schema, MAIL_ACCOUNT_TYPE)} where id = $1`,
    [id],
  );
  return row ? accountOf(row, vault) : null;
}

/** The platform's own mail account, from the server's configuration. */
export interface PlatformMail {
  smtpUrl: URL | undefined;
  mailFrom: string;
}

/** The platform's account, from SMTP_URL and MAIL_FROM; null = not configured. */
export function platformAccount({ smtpUrl, mailFrom }: PlatformMail): MailAccount | null {
  if (smtpUrl === undefined) return null;
  const [, name = 'Mainstay', email = mailFrom] = /^(.*?)\s*<(.+)>$/.exec(mailFrom) ?? [];
  const tls = smtpUrl.protocol === 'smtps:';
  return {
    id: null,
    host: smtpUrl.hostname,
    port: Number(smtpUrl.port) || (tls ? 465 : 587),
    security: tls ? 'tls' : smtpUrl.searchParams.get('tls') === 'none' ? 'none' : 'starttls',
    username: smtpUrl.username ? decodeURIComponent(smtpUrl.username) : null,
    password: smtpUrl.password ? decodeURIComponent(smtpUrl.password) : null,
    fromName: name,
    fromEmail: email,
    replyTo: null,
    dailyLimit: null,
    timeoutSeconds: 20,
  };
}

/**
 * A connection for the account. A client's server is looked up and checked here, and connected to at the checked
 * address; the platform's own account is trusted. @throws AddressRefused
 */
async function transportOf(account: MailAccount): Promise<Transporter> {
  const ms = account.timeoutSeconds * 1000;
  const host = account.id === null ? account.host : (await checkedAddresses(account.host))[0]!.address;
  return createTransport({
    host,
    port: account.port,
    secure: account.security === 'tls',
    requireTLS: account.security === 'starttls',
    ignoreTLS: account.security === 'none',
    ...(isIP(account.host) === 0 && { tls: { servername: account.host } }),
    ...(account.username && { auth: { user: account.username, pass: account.password ?? '' } }),
    connectionTimeout: ms,
    greetingTimeout: ms,
    socketTimeout: ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Why a mail was not sent, in our own words; `final`: retries will not help. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly final: boolean;
  constructor(message: string, cause: unknown, final: boolean) {
    super(message, { cause });
    this.final = final;
  }
}

/** An attachment. */
export interface MailAttachment {
  filename: string;
  content: Buffer;
  contentType: string;
}

/** Sends one mail with an account. @returns its message id @throws MailError */
export async function sendMail(
  account: MailAccount,
  mail: {
    to: string;
    subject: string;
    text: string;
    html?: string | null;
    headers?: Record<string, string>;
    /** Its number; without one it gets one of its own. */
    messageId?: string;
    attachments?: MailAttachment[];
  },
): Promise<string | undefined> {
  const { html, ...rest } = mail;
  let transport: Transporter | undefined;
  try {
    transport = await transportOf(account);
    const info = (await transport.sendMail({
      from: { name: account.fromName, address: account.fromEmail },
      ...(account.replyTo && { replyTo: account.replyTo }),
      ...rest,
      ...(html && { html }),
    })) as { messageId?: string };
    return info.messageId;
  } catch (error) {
    throw inWords(error as SmtpError, account);
  } finally {
    transport?.close();
  }
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** A coarse error class: the server's text is not repeated, only its code. */
function inWords(error: SmtpError, { host, port }: MailAccount): MailError {
  const { code, command, responseCode } = error;
  const number = responseCode === undefined ? '' : ` (${responseCode})`;
  const refused = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const final = refused && (command === 'RCPT TO' || command === 'DATA');
  const words =
    code === 'EAUTH'
      ? `The server does not accept this user name and password${number}.`
      : code === 'EENVELOPE' && command === 'RCPT TO'
        ? `The server does not accept the recipient${number}.`
        : code === 'EENVELOPE'
          ? `The server does not accept the sender${number}.`
          : code === 'EMESSAGE'
            ? `The server does not accept the mail${number}.`
            : code === 'EPROTOCOL'
              ? `No mail server answers at ${host}, port ${port}. Check server, port and security.`
              : plainFailure(error, `${host}, port ${port}`);
  return new MailError(words, error, final);
}

/** Stores the result of a test with a mail account. */
export async function keepMailTest({ db, schema }: Tenant, id: number, result: string): Promise<void> {
  await db.query(
    `update ${quoted(schema)}.mail_config_setting set last_test_at = now(), last_test_result = $2 where id = $1`,
    [id, result.slice(0, 250)],
  );
}
