import { createHash } from 'node:crypto';
import { formatNumber } from '../../../descriptor/format.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import type { Vault } from '../../db/vault.ts';
import type { Bus } from '../live/bus.ts';
import type { MailAccount, MailAttachment, PlatformMail } from '../mail/mail_accounts.ts';
import { MailError, clientAccount, platformAccount, sendMail } from '../mail/mail_accounts.ts';
import { messageSettings } from './message_settings.ts';
import { filesOf } from './outbox_files.ts';

export interface OutboxRow {
  id: number;
  channel: 'mail' | 'push';
  recipient: string;
  user_id: number | null;
  event_code: string | null;
  purpose: string;
  subject: string;
  body: string;
  html: string | null;
  link: string | null;
  attempts: number;
  /** Attached issued documents. */
  prints: number[] | null;
  /** Whether it has attachments in the database. */
  with_files: boolean;
  dedupe_key: string;
}

/**
 * Sends a row on a channel other than mail. @returns the provider's id; throws {@link Unsendable} if retries will not
 * help
 */
export type ChannelSender = (tenant: Tenant, row: OutboxRow) => Promise<string | undefined>;

/** A message that cannot be delivered by retrying. */
export class Unsendable extends Error {
  readonly state: 'dead' | 'suppressed';
  constructor(state: 'dead' | 'suppressed', message: string) {
    super(message);
    this.state = state;
  }
}

/** A message beyond today's limit, sent another day. */
class Postponed extends Error {}

export interface Outbox {
  /** Sends everything due for a tenant. @returns the number of messages */
  send(tenant: Tenant): Promise<number>;
  /** Sends what is due for every tenant, as after a restart. */
  sweep(): Promise<number>;
  start(): void;
  close(): Promise<void>;
}

export interface OutboxDeps {
  config: PlatformMail;
  directory: Directory;
  bus: Bus;
  platform: () => Promise<Tenant>;
  push?: ChannelSender;
  /** Issued documents as files; rendered if that has not been done yet. */
  issued?: (tenant: Tenant, prints: number[]) => Promise<MailAttachment[]>;
  vault: Vault;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Delays before retries: 1, 5, 15, 60 and 240 minutes; after that it is dead. */
const RETRY_MINUTES = [1, 5, 15, 60, 240];
const BATCH = 20;
const LEASE_SECONDS = 120;
const SWEEP_MS = 60_000;

/** Sends the messages in the outboxes: a row is leased, so that two processes never send it twice. */
export function createOutbox({ config, directory, bus, platform, push, issued, vault, log }: OutboxDeps): Outbox {
  const busy = new Map<string, Promise<number>>();
  const again = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let started = false;

  async function claim({ db, schema }: Tenant): Promise<OutboxRow[]> {
    return db.query<OutboxRow>(
      `update ${quoted(schema)}.outbox set state = 'sending', attempts = attempts + 1, leased_until = now() + make_interval(secs => $2)
       where id in (select id from ${quoted(schema)}.outbox where (state in ('queued','retry') and next_at <= now()) or (state = 'sending' and leased_until < now())
         order by next_at, id limit $1 for update skip locked)
       returning id, channel, recipient, user_id, event_code, purpose, subject, body, html, link, attempts, prints, files is not null as with_files, dedupe_key`,
      [BATCH, LEASE_SECONDS],
    );
  }

  /** The account for sending. @throws Postponed if it has reached today's limit */
  async function accountFor(tenant: Tenant, purpose: string): Promise<MailAccount> {
    const own = await clientAccount(tenant, purpose, vault);
    const account = own ?? platformAccount(config);
    if (!account) throw new Error('No mail account is configured: enter one in Mail settings, or set SMTP_URL.');
    // A password mail must not wait until tomorrow.
    if (account.dailyLimit !== null && purpose !== 'security') {
      const [sent] = await tenant.db.query<{ n: number }>(
        `select count(*)::int as n from ${quoted(tenant.schema)}.outbox where account_id = $1 and sent_at >= date_trunc('day', now() at time zone $2) at time zone $2`,
        [account.id, tenant.timezone],
      );
      if ((sent?.n ?? 0) >= account.dailyLimit)
        throw new Postponed(
          `The account has sent its ${formatNumber(account.dailyLimit)} mails for today. This one will be sent tomorrow.`,
        );
    }
    return account;
  }

  async function mail(tenant: Tenant, row: OutboxRow): Promise<string | undefined> {
    const account = await accountFor(tenant, row.purpose);
    const attachments = [
      ...(row.prints === null || !issued ? [] : await issued(tenant, row.prints)),
      ...(row.with_files ? await filesOf(tenant, row.id) : []),
    ];
    try {
      const id = await deliver(tenant, account, row, attachments);
      if (account.id !== null)
        await tenant.db.query(`update ${quoted(tenant.schema)}.outbox set account_id = $2 where id = $1`, [
          row.id,
          account.id,
        ]);
      return id;
    } catch (error) {
      // A client's broken account must not prevent people from resetting their passwords.
      const spare = row.purpose === 'security' && account.id !== null ? platformAccount(config) : null;
      if (!spare) throw error;
      return deliver(tenant, spare, row, attachments);
    }
  }

  function deliver(
    { schema }: Tenant,
    account: MailAccount,
    row: OutboxRow,
    attachments: MailAttachment[],
  ): Promise<string | undefined> {
    return sendMail(account, {
      to: row.recipient,
      subject: row.subject,
      text: row.body,
      html: row.html,
      // The same at each attempt: a server killed after a mail was accepted sends it again, and mail servers recognise
      // it by this.
      messageId: `<${createHash('sha256').update(`${schema}/${row.dedupe_key}`).digest('hex').slice(0, 32)}@${account.fromEmail.split('@').at(-1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(attachments.length > 0 && { attachments }),
    });
  }

  async function sendOne(tenant: Tenant, row: OutboxRow): Promise<boolean> {
    const { db, schema } = tenant;
    const table = `${quoted(schema)}.outbox`;
    try {
      if (row.channel === 'push' && !push) throw new Unsendable('suppressed', 'Push is not configured.');
      const id = row.channel === 'mail' ? await mail(tenant, row) : await push!(tenant, row);
      await db.query(
        `update ${table} set state = 'sent', sent_at = now(), leased_until = null, error = null, provider_id = $2, files = null where id = $1`,
        [row.id, id ?? null],
      );
      return true;
    } catch (error) {
      const message = (error as Error).message.slice(0, 500);
      if (error instanceof Postponed) {
        // Postponed until quiet hours end; it does not count as an attempt.
        const { quiet_to: morning } = await messageSettings(tenant);
        await db.query(
          `update ${table} set state = 'queued', error = $2, leased_until = null, attempts = attempts - 1, next_at = ((now() at time zone $3)::date + 1 + $4::time) at time zone $3 where id = $1`,
          [row.id, message, tenant.timezone, morning ?? '00:00'],
        );
        return false;
      }
      // A permanent rejection (5xx for the recipient) will not change.
      const final =
        error instanceof Unsendable ? error.state : error instanceof MailError && error.final ? 'dead' : undefined;
      const wait = final === undefined ? RETRY_MINUTES[row.attempts - 1] : undefined;
      const state = final ?? (wait === undefined ? 'dead' : 'retry');
      await db.query(
        `update ${table} set state = $2, error = $3, leased_until = null, next_at = now() + make_interval(mins => $4) where id = $1`,
        [row.id, state, message, wait ?? 0],
      );
      if (state === 'dead') log.warn({ schema, outbox: row.id, err: error }, 'A message could not be sent.');
      return false;
    }
  }

  async function sendAll(tenant: Tenant): Promise<number> {
    let sent = 0;
    for (let rows = await claim(tenant); rows.length > 0 && !closed; rows = await claim(tenant)) {
      for (const row of rows) if (await sendOne(tenant, row)) sent++;
    }
    return sent;
  }

  async function tenantOf(schema: string): Promise<Tenant | null> {
    if (schema === 'public') return platform();
    const row = (await directory.tenants()).find((one) => one.schema === schema && one.active);
    return row ? openTenant(directory, row) : null;
  }

  /** One run per tenant at a time; messages that arrive during a run are sent right after it. */
  function send(tenant: Tenant): Promise<number> {
    const { schema } = tenant;
    if (tenant.held) return Promise.resolve(0);
    const now = busy.get(schema);
    if (now) {
      again.add(schema);
      return now;
    }
    const run = sendAll(tenant).finally(() => {
      busy.delete(schema);
      if (again.delete(schema) && !closed) void send(tenant).catch(() => undefined);
    });
    busy.set(schema, run);
    return run;
  }

  const off = bus.on((message) => {
    if (message.kind !== 'outbox' || !started || closed) return;
    void tenantOf(message.schema)
      .then((tenant) => (tenant ? send(tenant) : 0))
      .catch((error: unknown) => log.error({ err: error, schema: message.schema }, 'The outbox could not be read.'));
  });

  const outbox: Outbox = {
    send,
    async sweep() {
      let sent = await send(await platform());
      for (const row of await directory.tenants()) {
        if (closed) break;
        if (row.active) sent += await send(await openTenant(directory, row)).catch(() => 0);
      }
      return sent;
    },
    start() {
      started = true;
      const next = () => {
        timer = setTimeout(() => {
          void outbox
            .sweep()
            .catch((error: unknown) => log.error({ err: error }, 'The outboxes could not be read.'))
            .finally(next);
        }, SWEEP_MS).unref();
      };
      timer = setTimeout(
        () =>
          void outbox
            .sweep()
            .catch(() => undefined)
            .finally(next),
        2_000,
      ).unref();
    },
    async close() {
      closed = true;
      off();
      clearTimeout(timer);
      await Promise.allSettled(busy.values());
    },
  };
  return outbox;
}
