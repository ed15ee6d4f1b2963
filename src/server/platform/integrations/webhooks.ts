import { randomBytes } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import { childTable, quoted } from '../../db/names.ts';
import type { Vault } from '../../db/vault.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Bus } from '../../services/live/bus.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { AppError } from '../../db/errors.ts';
import { administrators, changeConfiguration } from './configuration.ts';
import type { CallResult } from './webhook_call.ts';
import { postOutside, webhookSignature } from './webhook_call.ts';
import type { Happening, Owned, WebhookSight } from './webhook_sight.ts';

/**
 * Delays before retries, in seconds: attempts at 0, 5 s, 1 min 5 s, 6 min 5 s, 36 min 5 s, 2 h 36 min 5 s, 8 h … and 20
 * h 36 min 5 s.
 */
export const RETRY_SECONDS = [5, 60, 300, 1_800, 7_200, 21_600, 43_200];
/** The number of consecutive failures after which a webhook is disabled. */
const DEAD_IN_A_ROW = 5;
const BATCH = 20;
/** Longer than the longest time-out: the lease of a dead process expires after this. */
const LEASE_SECONDS = 90;
const DELIVER_JOB = 'webhook_deliver';

/** Where signing secrets are stored. */
export const SECRET_PLACE = 'api_config.secret';
export const OLD_SECRET_PLACE = 'api_config.old_secret';

/** A new signing secret: 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A webhook with the data needed for a call. */
interface Target extends Owned {
  name: string;
  url: string;
  payload: 'thin' | 'full';
  fields: string[] | null;
  secret: string | null;
  old_secret: string | null;
  old_valid: boolean;
  timeout_s: number | null;
  headers: { name: string; value: string | null }[];
  config_state: string;
}

interface Delivery extends Target {
  id: number;
  event_id: string;
  attempt: number;
  body: Record<string, unknown>;
}

export interface Webhooks {
  /** Sends everything due for a tenant. @returns the number delivered */
  deliver(tenant: Tenant): Promise<number>;
  /**
   * Calls a webhook once with a test message; a disabled one is re-enabled if it succeeds. @throws AppError 404, 409,
   * 422 with the receiver's answer
   */
  test(tenant: Tenant, id: number, userId: number): Promise<CallResult>;
  /** Sends a message again, with its original id. @throws AppError 404, 409 */
  resend(tenant: Tenant, id: number): Promise<void>;
}

export interface WebhookDeps {
  jobs: Jobs;
  bus: Bus;
  notifications: Notifications;
  sight: WebhookSight;
  vault: Vault;
  log: { error(fields: object, message: string): void };
}

function targetColumns(schema: string): string {
  return `c.id as api_config_id, c.service_user_id, coalesce(c.owner_id, c.created_by) as owner_id, c.name, c.url, c.payload, c.fields, c.secret, c.old_secret, coalesce(c.old_secret_until > now(), false) as old_valid, c.timeout_s, c.state as config_state,
    coalesce((select json_agg(json_build_object('name', h.name, 'value', h.value) order by h."position") from ${childTable(schema, 'api_config', 'headers')} h where h.parent_id = c.id), '[]') as headers`;
}

/** Sends events to other systems, as Standard Webhooks 1.0 (platform_admin.md §4.7, §5.8). */
export function createWebhooks({ jobs, bus, notifications, sight, vault, log }: WebhookDeps): Webhooks {
  const soon = (schema: string) => jobs.enqueue(schema, DELIVER_JOB, {}, { key: 'now' });

  bus.on((message) => {
    if (message.kind !== 'webhook') return;
    soon(message.schema).catch((error: unknown) =>
      log.error({ err: error, schema: message.schema }, 'The calls of webhooks could not be queued.'),
    );
  });

  async function send(target: Target, id: string, body: string): Promise<CallResult> {
    const secret = vault.open(target.secret, SECRET_PLACE);
    if (secret === null)
      return { status: null, reason: 'There is no signing secret. Create one with "New secret".', ms: 0 };
    const timestamp = Math.floor(Date.now() / 1000);
    const before = target.old_valid ? vault.open(target.old_secret, OLD_SECRET_PLACE) : null;
    const secrets = [secret, ...(before === null ? [] : [before])];
    const own = Object.fromEntries(
      target.headers.flatMap(({ name, value }) => {
        const text = vault.open(value, 'api_config.headers.value');
        return text === null ? [] : [[name.toLowerCase(), text]];
      }),
    );
    return postOutside({
      url: target.url,
      timeoutSeconds: target.timeout_s ?? 10,
      body,
      headers: {
        ...own,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': webhookSignature(secrets, id, timestamp, body),
      },
    });
  }

  function claim({ db, schema }: Tenant): Promise<Delivery[]> {
    const s = quoted(schema);
    return db.query<Delivery>(
      `with due as (select d.id from ${s}.api_delivery d join ${s}.api_config c on c.id = d.api_config_id
          where d.state in ('queued', 'retry', 'delivering') and d.next_at <= now() and c.active and c.direction = 'outgoing' and c.state in ('active', 'failing')
          order by d.next_at, d.id limit $1 for update of d skip locked),
        taken as (update ${s}.api_delivery d set state = 'delivering', attempt = coalesce(d.attempt, 0) + 1, next_at = now() + make_interval(secs => $2), updated_at = now()
          from due where d.id = due.id returning d.id, d.api_config_id, d.event_id, d.attempt, d.body)
       select t.id, t.event_id, t.attempt, t.body, ${targetColumns(schema)} from taken t join ${s}.api_config c on c.id = t.api_config_id order by t.id`,
      [BATCH, LEASE_SECONDS],
    );
  }

  function happeningOf({ event_id, body }: Delivery): Happening {
    const { type, id } = body.data as { type: string; id: number };
    const entityId = typeof body.entity_id === 'number' ? body.entity_id : null;
    return { event_id, event: String(body.type), entityId, type, id };
  }

  /** The payload: with the record as the owner currently sees it, at each attempt. Only the event itself is stored. */
  function outgoing({ body, fields }: Delivery, record: object | null): Record<string, unknown> {
    if (record === null) return body;
    const wanted = fields ?? [];
    const kept =
      wanted.length === 0
        ? record
        : Object.fromEntries(
            Object.entries(record).filter(
              ([name]) => name === 'id' || name === 'version' || wanted.includes(name.replace(/__label$/, '')),
            ),
          );
    return { ...body, data: { ...(body.data as object), record: kept } };
  }

  /** A message that was claimed but not sent waits as if it had not been claimed. */
  async function letGo({ db, schema }: Tenant, id: number): Promise<void> {
    await db.query(
      `update ${quoted(schema)}.api_delivery set state = 'queued', attempt = attempt - 1, next_at = now(), updated_at = now() where id = $1`,
      [id],
    );
  }

  async function switchOff(tenant: Tenant, target: Target, reason: string): Promise<void> {
    const to = await administrators(tenant);
    await tenant.db.transaction(async (tx) => {
      await changeConfiguration(
        tx,
        tenant,
        target.api_config_id,
        { state: 'disabled', disabled_reason: reason.slice(0, 250) },
        { userId: null, what: 'webhook' },
      );
      await notifications.notify(tx, tenant, {
        event: 'api.disabled',
        to,
        link: `/api_config_edit/${target.api_config_id}`,
        record: { type: 'api_config', id: target.api_config_id },
        values: {
          name: target.name,
          error: `${reason}\n\nUntil then it gets no messages. When the problem is solved, press "Send a test": an answer switches it on again.`,
        },
      });
    });
  }

  async function deadInARow({ db, schema }: Tenant, config: number): Promise<boolean> {
    const rows = await db.query<{ state: string }>(
      `select state from ${quoted(schema)}.api_delivery where api_config_id = $1 and state in ('delivered', 'dead') order by updated_at desc, id desc limit ${DEAD_IN_A_ROW}`,
      [config],
    );
    return rows.length === DEAD_IN_A_ROW && rows.every(({ state }) => state === 'dead');
  }

  async function attempt(tenant: Tenant, delivery: Delivery): Promise<boolean> {
    const seen = await sight.of(tenant, delivery, happeningOf(delivery), delivery.payload === 'full');
    if ('hide' in seen) {
      await tenant.db.query(`delete from ${quoted(tenant.schema)}.api_delivery where id = $1`, [delivery.id]);
      return false;
    }
    if ('stop' in seen) {
      await letGo(tenant, delivery.id);
      await switchOff(tenant, delivery, seen.stop);
      return false;
    }
    const body = outgoing(delivery, seen.show);
    const { status, reason, ms } = await send(delivery, delivery.event_id, JSON.stringify(body));
    const good = reason === null;
    const wait = good || status === 410 ? undefined : RETRY_SECONDS[delivery.attempt - 1];
    const state = good ? 'delivered' : wait === undefined ? 'dead' : 'retry';
    const s = quoted(tenant.schema);
    await tenant.db.query(
      `update ${s}.api_delivery set state = $2, status_code = $3, response_excerpt = $4, duration_ms = $5, updated_at = clock_timestamp(),
         next_at = case when $6::int is null then null else now() + make_interval(secs => $6::int) end where id = $1`,
      [delivery.id, state, status, reason, ms, wait ?? null],
    );
    // The list shows whether it works; that is not a change made by anybody.
    if (good)
      await tenant.db.query(
        `update ${s}.api_config set last_used_at = now(), state = 'active' where id = $1 and state in ('active', 'failing')`,
        [delivery.api_config_id],
      );
    else if (status === 410) await switchOff(tenant, delivery, 'The receiver answered that it no longer exists (410).');
    else if (state === 'dead' && (await deadInARow(tenant, delivery.api_config_id)))
      await switchOff(
        tenant,
        delivery,
        `${DEAD_IN_A_ROW} messages one after the other could not be delivered. ${reason}`,
      );
    else
      await tenant.db.query(`update ${s}.api_config set state = 'failing' where id = $1 and state = 'active'`, [
        delivery.api_config_id,
      ]);
    return good;
  }

  async function deliver(tenant: Tenant): Promise<number> {
    let delivered = 0;
    for (let batch = await claim(tenant); batch.length > 0; batch = await claim(tenant)) {
      const results = await Promise.allSettled(batch.map((delivery) => attempt(tenant, delivery)));
      for (const result of results) {
        if (result.status === 'fulfilled') delivered += Number(result.value);
        else log.error({ err: result.reason as Error, schema: tenant.schema }, 'A webhook could not be called.');
      }
    }
    const s = quoted(tenant.schema);
    const [next] = await tenant.db.query<{ at: Date | string | null }>(
      `select min(d.next_at) as at from ${s}.api_delivery d join ${s}.api_config c on c.id = d.api_config_id
       where d.state in ('queued', 'retry', 'delivering') and c.active and c.state in ('active', 'failing')`,
    );
    if (next?.at) {
      const at = new Date(next.at);
      await jobs.enqueue(tenant.schema, DELIVER_JOB, {}, { key: `at ${at.toISOString().slice(0, 19)}`, runAt: at });
    }
    return delivered;
  }

  jobs.define({
    name: DELIVER_JOB,
    title: 'Call webhooks',
    // Normally triggered by events at once; this finds messages claimed by a process that died.
    cron: '*/10 * * * *',
    run: async ({ tenant }) => {
      if (!tenant || !(await hasTables(tenant))) return undefined;
      return `${await deliver(tenant)} messages delivered.`;
    },
  });

  return {
    deliver,
    async test(tenant, id, userId) {
      if (tenant.held)
        throw new AppError(
          409,
          'bad_state',
          'This is a restored copy: it calls no other program until it is switched on.',
        );
      const [target] = await tenant.db.query<Target>(
        `select ${targetColumns(tenant.schema)} from ${quoted(tenant.schema)}.api_config c where c.id = $1 and c.direction = 'outgoing'`,
        [id],
      );
      if (!target)
        throw new AppError(
          409,
          'bad_state',
          'Only webhooks can be tested; a key is tested by the program that uses it.',
        );
      const refusal = await sight.refusal(tenant, target);
      if (refusal !== null) throw new AppError(409, 'bad_state', refusal);
      const result = await send(
        target,
        `msg_test_${randomBytes(12).toString('hex')}`,
        JSON.stringify({
          type: 'mainstay.test',
          timestamp: new Date().toISOString(),
          entity_id: null,
          data: { message: `A test of "${target.name}".` },
        }),
      );
      if (result.reason !== null) throw new AppError(422, 'not_answered', result.reason);
      if (target.config_state !== 'active')
        await changeConfiguration(
          tenant.db,
          tenant,
          id,
          { state: 'active', disabled_reason: null, last_used_at: new Date() },
          { userId, what: 'test' },
        );
      await soon(tenant.schema);
      return result;
    },
    async resend(tenant, id) {
      const s = quoted(tenant.schema);
      const rows = await tenant.db.query(
        `update ${s}.api_delivery d set state = 'queued', attempt = 0, next_at = now(), updated_at = now() from ${s}.api_config c
         where d.id = $1 and c.id = d.api_config_id and c.active and c.state in ('active', 'failing') and d.state in ('delivered', 'dead', 'retry') returning d.id`,
        [id],
      );
      if (rows.length === 0)
        throw new AppError(
          409,
          'bad_state',
          'This message is being sent, or its webhook is switched off. Test the webhook first: an answer switches it on.',
        );
      await soon(tenant.schema);
    },
  };
}

async function hasTables({ db, schema }: Tenant): Promise<boolean> {
  const [row] = await db.query<{ there: boolean }>(
    'select to_regclass($1) is not null and to_regclass($2) is not null as there',
    [`${quoted(schema)}.api_config`, `${quoted(schema)}.api_delivery`],
  );
  return row?.there === true;
}
