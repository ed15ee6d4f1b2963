import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';
import { tableName } from '../db/tables.ts';
import type { Vault } from '../db/vault.ts';

/** The record type of a client's own SMTP accounts. */
export const MAIL_ACCOUNT_TYPE = 'mail_config_setting';

/** An account that mail is sent by. */
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
  /** Mails a day; null = any number. */
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

/** The client's account for a purpose: that of the purpose, else the default one; null = none of its own. */
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

/** The platform's account, from SMTP_URL and MAIL_FROM; null = not configured. */
export function platformAccount({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): MailAccount | null {
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

/** A connection for the account. `log` hears the conversation, line by line, without passwords. */
export function transportOf(account: MailAccount, log?: (line: string) => void): Transporter {
  const ms = account.timeoutSeconds * 1000;
  let authenticating = false;
  const hear = (entry: { tnx?: string }, text: string, ...values: unknown[]) => {
    const line = text.replace(/%s/g, () => String(values.shift() ?? ''));
    for (const part of line.split(/\r?\n/).filter((one) => one !== '')) {
      // What follows AUTH is the user name and the password in another writing.
      if (entry.tnx === 'client' && /^AUTH\b/i.test(part)) {
        authenticating = true;
        log?.(`> ${part.split(' ').slice(0, 2).join(' ')} ***`);
        continue;
      }
      if (entry.tnx === 'client' && authenticating && !/^(MAIL|QUIT|RSET|EHLO)\b/i.test(part)) {
        log?.('> ***');
        continue;
      }
      if (entry.tnx === 'server' && !part.startsWith('334')) authenticating = false;
      if (entry.tnx === 'client' || entry.tnx === 'server') log?.(`${entry.tnx === 'client' ? '>' : '<'} ${part}`);
    }
  };
  const silent = () => undefined;
  return createTransport({
    host: account.host,
    port: account.port,
    secure: account.security === 'tls',
    requireTLS: account.security === 'starttls',
    ignoreTLS: account.security === 'none',
    ...(account.username && { auth: { user: account.username, pass: account.password ?? '' } }),
    connectionTimeout: ms,
    greetingTimeout: ms,
    socketTimeout: ms,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(log && {
      debug: true,
      logger: {
        debug: hear,
        info: silent,
        warn: silent,
        error: silent,
        fatal: silent,
        trace: silent,
        level: silent,
      } as never,
    }),
  });
}
