import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { maskAddress } from '../../services/network/masked_address.ts';
import type { KeySessions } from '../../access/sessions/guard.ts';
import type { SessionStore } from '../../access/sessions/session_store.ts';
import type { Tenants } from '../../access/sessions/tenants.ts';
import { administrators, changeConfiguration } from './configuration.ts';
import { keyScopes, narrowed, operationOf } from './key_scopes.ts';
import { fromNetworks } from '../../services/network/networks.ts';

const BEGIN = 'mk_live_';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Of these letters: 8 name the key, 32 (190 bits) are the secret. */
const NAME_LENGTH = 8;
const SECRET_LENGTH = 32;
const KEY = /^mk_live_[A-Za-z0-9]{40}$/;
const IN_QUERY = /[?&][^#]*?(mk_live_[A-Za-z0-9]+)/;
/** How long a replaced key still works. */
export const OVERLAP_HOURS = 24;
const SEEN_EVERY_MS = 60_000;

/** A newly generated key: shown once to one person; only a hash is stored. */
export interface NewKey {
  key: string;
  /** Its prefix, which is not secret and identifies the configuration. */
  prefix: string;
  hash: string;
}

function letters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Creates a key; `prefix` keeps the prefix of the replaced one. */
export function newKey(prefix: string = BEGIN + letters(NAME_LENGTH)): NewKey {
  const key = prefix + letters(SECRET_LENGTH);
  return { key, prefix, hash: hashOf(key) };
}

/** Keys are random and long, so one round of SHA-256 is enough; a password's slow hash would cost every call. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function equal(stored: string | null, hash: string): boolean {
  return stored !== null && stored.length === hash.length && timingSafeEqual(Buffer.from(stored), Buffer.from(hash));
}

interface KeyRow {
  id: number;
  name: string;
  active: boolean;
  state: string;
  service_user_id: number | null;
  key_hash: string | null;
  old_key_hash: string | null;
  old_valid: boolean;
  scopes: string[] | null;
  ip_allow: string | null;
  expired: boolean;
  rate_per_min: number | null;
  recent: number;
  /** The latest of them. */
  recent_ids: number[];
}

export interface ApiKeys extends KeySessions {
  /** Puts what a key call needs into the server: its log. */
  watch(server: FastifyInstance): void;
}

export interface ApiKeyDeps {
  tenants: Tenants;
  store: SessionStore;
  notifications: Notifications;
  log: { error(fields: object, message: string): void };
}

/** An API call in progress. */
interface KeyCall {
  tenant: Tenant;
  id: number;
}

/** Programs that call by key instead of signing in. */
export function createApiKeys({ tenants, store, notifications, log }: ApiKeyDeps): ApiKeys {
  const calls = new WeakMap<FastifyRequest, KeyCall>();
  /** Calls not yet logged, by tenant and key. */
  const pending = new Map<string, number>();
  /** Keys being looked up, each with the calls logged meanwhile, which its count may or may not include. */
  const lookups = new Set<{ logged: { name: string; id: number }[] }>();
  const lastSeen = new Map<string, number>();
  const nameOf = ({ tenant, id }: KeyCall) => `${tenant.schema} ${id}`;

  /** The client of the host; on shared hosts the caller names it, as at sign-in. */
  async function tenantOf(request: FastifyRequest): Promise<Tenant | null> {
    const { tenantHost } = request;
    const given = request.headers['x-sub-domain'];
    const sub =
      tenantHost.kind === 'tenant'
        ? tenantHost.subDomain
        : tenantHost.kind === 'none' && typeof given === 'string' && /^[a-z][a-z0-9-]{0,29}$/.test(given)
          ? given
          : null;
    return sub === null || sub === 'admin' ? null : tenants.bySubDomain(sub);
  }

  async function find(tenant: Tenant, key: string): Promise<KeyRow | null> {
    const s = quoted(tenant.schema);
    const [row] = await tenant.db
      .query<KeyRow>({
        name: `api_key_${tenant.schema}`.slice(0, 63),
        text: `select c.id, c.name, c.active, c.state, c.service_user_id, c.key_hash, c.old_key_hash, coalesce(c.old_key_until > now(), false) as old_valid, c.scopes, c.ip_allow,
            coalesce(c.expires_on < (now() at time zone $2)::date, true) as expired, c.rate_per_min,
            (select count(*)::int from ${s}.api_call_log l where l.api_config_id = c.id and l.at > now() - interval '1 minute' and l.status <> 429) as recent,
            array(select l.id::float8 from ${s}.api_call_log l where l.api_config_id = c.id and l.at > now() - interval '1 minute' and l.status <> 429 order by l.id desc limit 100) as recent_ids
          from ${s}.api_config c where c.direction = 'inbound' and c.key_prefix = $1`,
        values: [key.slice(0, BEGIN.length + NAME_LENGTH), tenant.timezone],
      })
      // A client whose tables are not made yet has no keys.
      .catch((error: { code?: string }) => {
        if (error.code !== '42P01') throw error;
        return [];
      });
    if (!row) return null;
    const hash = hashOf(key);
    return equal(row.key_hash, hash) || (row.old_valid && equal(row.old_key_hash, hash)) ? row : null;
  }

  async function record({ tenant, id }: KeyCall, request: FastifyRequest, status: number, ms: number): Promise<number> {
    const [logged] = await tenant.db.query<{ id: number }>(
      `insert into ${quoted(tenant.schema)}.api_call_log (api_config_id, at, method, path, status, ms, ip) values ($1, now(), $2, $3, $4, $5, $6) returning id`,
      [id, request.method, maskAddress(request.url).slice(0, 250), status, Math.round(ms), request.ip],
    );
    return logged!.id;
  }

  function refuse(message: string): AppError {
    return new AppError(401, 'unauthenticated', message);
  }

  /** Why a correct key may not be used now. */
  function refusal(row: KeyRow, ip: string): string | null {
    if (!row.active || !['active', 'rotated'].includes(row.state))
      return 'This key was switched off. Ask your administrator for another.';
    if (row.expired) return 'This key has expired. Ask your administrator for another.';
    if (!fromNetworks(row.ip_allow)(ip))
      return `This key may not be used from ${ip}. Ask your administrator to allow that address.`;
    return null;
  }

  return {
    watch(server) {
      server.addHook('onResponse', async (request, reply) => {
        const call = calls.get(request);
        if (!call) return;
        try {
          const id = await record(call, request, reply.statusCode, reply.elapsedTime);
          if (reply.statusCode !== 429) for (const { logged } of lookups) logged.push({ name: nameOf(call), id });
        } catch (error) {
          log.error({ err: error }, 'A call by key could not be logged.');
        } finally {
          const name = nameOf(call);
          const left = (pending.get(name) ?? 1) - 1;
          if (left > 0) pending.set(name, left);
          else pending.delete(name);
        }
      });
    },

    async refuseInAddress(request) {
      const key = IN_QUERY.exec(request.url)?.[1];
      if (key === undefined) return;
      const tenant = KEY.test(key) ? await tenantOf(request) : null;
      const row = tenant && (await find(tenant, key));
      if (tenant && row) {
        await record({ tenant, id: row.id }, request, 401, 0);
        if (row.state !== 'revoked') {
          const to = await administrators(tenant);
          await tenant.db.transaction(async (tx) => {
            await changeConfiguration(
              tx,
              tenant,
              row.id,
              { state: 'revoked', key_hash: null, old_key_hash: null, old_key_until: null },
              { userId: null, what: 'key in an address' },
            );
            await notifications.notify(tx, tenant, {
              event: 'api.key_revoked',
              to,
              values: { name: row.name, ip: request.ip },
              link: `/api_config_edit/${row.id}`,
              record: { type: 'api_config', id: row.id },
            });
          });
        }
        throw refuse(
          'A key in an address can be read in logs, so it was revoked. Make a new one, and send it as "Authorization: Bearer …".',
        );
      }
      throw refuse('Send the key as "Authorization: Bearer …", never in the address.');
    },

    async session(request) {
      const [, key] = /^Bearer (mk_live_\S*)$/i.exec(request.headers.authorization ?? '') ?? [];
      if (key === undefined) return null;
      const tenant = KEY.test(key) ? await tenantOf(request) : null;
      const lookup: { logged: { name: string; id: number }[] } = { logged: [] };
      lookups.add(lookup);
      const row = tenant && (await find(tenant, key).finally(() => lookups.delete(lookup)));
      if (!tenant || !row) throw refuse('This key is unknown. Check the address of the company and the key.');
      const call = { tenant, id: row.id };
      const name = nameOf(call);
      calls.set(request, call);
      const waiting = pending.get(name) ?? 0;
      pending.set(name, waiting + 1);
      const reason = refusal(row, request.ip);
      if (reason !== null) throw refuse(reason);
      const unseen = lookup.logged.filter((one) => one.name === name && !row.recent_ids.includes(one.id)).length;
      if (row.recent + unseen + waiting >= (row.rate_per_min ?? 120))
        throw new AppError(
          429,
          'too_many',
          `This key is limited to ${row.rate_per_min ?? 120} calls per minute. Wait a moment and try again.`,
        );
      const asked = request.headers['x-entity-id'];
      const entityId = asked === undefined || asked === '' ? null : Number(asked);
      if (entityId !== null && (!Number.isSafeInteger(entityId) || entityId < 1))
        throw new AppError(400, 'bad_request', 'X-Entity-Id must be the number of a company.');
      const account =
        row.service_user_id === null
          ? null
          : await store.ofService(tenant, row.service_user_id, `key/${row.id}`, entityId);
      if (!account) throw refuse('The service account of this key cannot be used at present. Ask your administrator.');
      const scopes = keyScopes(row.scopes ?? []);
      const { url } = request.routeOptions;
      const operation = url === undefined ? null : operationOf(request.method, url);
      if (operation === null)
        throw new AppError(403, 'forbidden', 'Keys work with records: /tapi/<type>. This call is for people.', {
          reason: 'action',
        });
      const { type = '' } = request.params as { type?: string };
      // A key that could change keys could give itself any right.
      if (type.startsWith('api_'))
        throw new AppError(403, 'forbidden', 'Keys cannot see or change the configuration of keys.', {
          reason: 'screen',
        });
      if (scopes !== null && !scopes.get(type)?.has(operation))
        throw new AppError(
          403,
          'forbidden',
          `This key needs the scope ${type}:${operation}. Add it in API configuration.`,
          { reason: 'action' },
        );
      if (Date.now() - (lastSeen.get(name) ?? 0) > SEEN_EVERY_MS) {
        if (lastSeen.size > 10_000) lastSeen.clear();
        lastSeen.set(name, Date.now());
        await tenant.db.query(`update ${quoted(tenant.schema)}.api_config set last_used_at = now() where id = $1`, [
          row.id,
        ]);
      }
      return { ...account, rights: narrowed(account.rights, scopes) };
    },
  };
}
