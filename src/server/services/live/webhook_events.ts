import type { Queryable } from '../../db/database.ts';
import { announce } from '../../db/announce.ts';
import { literal, quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Bus } from './bus.ts';

/** The parts of an event's name; a state in other words has none. */
const NAME = '^[a-z][a-z0-9_]*$';

/** A record of a type that was written in the current transaction. */
export type Touched = [type: string, id: number];

/** The event of a webhook that a rule calls itself: `ticket.rule`. */
export const RULE_EVENT = 'rule';

/** The configuration of webhooks, and their deliveries, are not events themselves. */
const isOwn = (type: string): boolean => type.startsWith('api_');

/** The tables of webhooks are created on first use. */
async function isThere(on: Queryable, schema: string): Promise<boolean> {
  const s = quoted(schema);
  const [row] = await on.query<{ there: boolean }>({
    name: 'webhooks_there',
    text: 'select to_regclass($1) is not null and to_regclass($2) is not null as there',
    values: [`${s}.api_config`, `${s}.api_delivery`],
  });
  return row?.there === true;
}

/** The record types used by webhooks of clients, cached until somebody saves a webhook. */
export class WebhookTypes {
  readonly #announcements: Pick<Bus, 'isFresh'>;
  readonly #remembered = new Map<string, { at: number; types: Promise<ReadonlySet<string>> }>();

  /** Without a bus, cached data is valid for some seconds: a short-lived import process receives no messages. */
  constructor(bus?: Bus) {
    this.#announcements = bus ?? { isFresh: (_database, at) => performance.now() - at < 5_000 };
    bus?.on((message) => {
      if (message.kind === 'settings') this.#remembered.delete(message.schema);
      else if (message.kind === 'client') this.#remembered.clear();
    });
    bus?.onGap(() => this.#remembered.clear());
  }

  /** A webhook was saved here: the next change does not wait for the announcement to come back. */
  forget(schema: string): void {
    this.#remembered.delete(schema);
  }

  /** Whether a client's webhooks may subscribe to events of a type. */
  async has({ schema, db }: Pick<Tenant, 'schema' | 'db'>, type: string): Promise<boolean> {
    if (schema === 'public' || isOwn(type)) return false;
    const known = this.#remembered.get(schema);
    if (known && this.#announcements.isFresh(db, known.at)) return (await known.types).has(type);
    const entry = { at: performance.now(), types: readTypes(db, schema) };
    this.#remembered.set(schema, entry);
    entry.types.catch(() => {
      if (this.#remembered.get(schema) === entry) this.#remembered.delete(schema);
    });
    return (await entry.types).has(type);
  }
}

async function readTypes(on: Queryable, schema: string): Promise<ReadonlySet<string>> {
  if (!(await isThere(on, schema))) return new Set();
  const rows = await on.query<{ type: string }>(
    `select distinct split_part(e.name, '.', 1) as type from ${quoted(schema)}.api_config c cross join unnest(c.events) e(name) where c.direction = 'outgoing'`,
  );
  return new Set(rows.map(({ type }) => type));
}

/**
 * Queues webhook calls for records, in the transaction that wrote them and their history, so that nothing rolled back
 * is sent, and nothing is lost. The history rows of the transaction are the events.
 */
export async function queueWebhooks(on: Queryable, schema: string, touched: readonly Touched[]): Promise<void> {
  const asked = touched.filter(([type]) => !isOwn(type));
  if (schema === 'public' || asked.length === 0 || !(await isThere(on, schema))) return;
  const s = quoted(schema);
  const queued = await on.query(
    `insert into ${s}.api_delivery (api_config_id, event_id, event, state, attempt, next_at, body)
     select c.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), e.type || '.' || e.word, 'queued', 0, now(),
       jsonb_build_object('type', e.type || '.' || e.word, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
         'entity_id', e.entity_id, 'data', jsonb_build_object('type', e.type, 'id', e.record_id, 'version', e.version))
     from (
       select h.id, h.record_type as type, h.record_id, h.entity_id, h.version, w.word
       from unnest($1::text[], $2::bigint[]) t(type, id)
       join ${s}.history h on h.record_type = t.type and h.record_id = t.id and h.at = now()
       cross join lateral (
         select case h.op when 'I' then 'created' when 'U' then 'updated' when 'D' then 'deleted' when 'A' then 'activated' when 'X' then 'deactivated' end as word
         union
         select v.word from (values (h.change #>> '{status,1}'), (h.change #>> '{state,1}')) v(word)
         where h.op = 'U' and v.word ~ ${literal(NAME)}
       ) w
     ) e join ${s}.api_config c on c.direction = 'outgoing' and c.active and c.state in ('active', 'failing')
       and (e.type || '.' || e.word = any(c.events) or e.type || '.*' = any(c.events))
     order by e.id, c.id returning 1`,
    [asked.map(([type]) => type), asked.map(([, id]) => id)],
  );
  if (queued.length > 0) await announce(on, { kind: 'webhook', schema });
}

/**
 * Queues one call of a webhook about a record, whatever events it subscribes to. `more`: data beside the record's name.
 * @returns false if there is no such webhook in use
 */
export async function callWebhook(
  on: Queryable,
  schema: string,
  {
    webhook,
    of: { entityId, ...of },
    more,
  }: {
    webhook: number;
    of: { type: string; id: number; version: number; entityId: number | null };
    more: Readonly<Record<string, unknown>>;
  },
): Promise<boolean> {
  if (!(await isThere(on, schema))) return false;
  const s = quoted(schema);
  const queued = await on.query(
    `insert into ${s}.api_delivery (api_config_id, event_id, event, state, attempt, next_at, body)
     select c.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), $2, 'queued', 0, now(),
       jsonb_build_object('type', $2::text, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'entity_id', $3::bigint, 'data', $4::jsonb)
     from ${s}.api_config c where c.id = $1 and c.direction = 'outgoing' and c.active and c.state in ('active', 'failing') returning 1`,
    [webhook, `${of.type}.${RULE_EVENT}`, entityId, JSON.stringify({ ...more, ...of })],
  );
  if (queued.length > 0) await announce(on, { kind: 'webhook', schema });
  return queued.length > 0;
}
