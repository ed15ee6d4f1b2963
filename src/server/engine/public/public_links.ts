import { createHash, createHmac } from 'node:crypto';
import { PUBLIC_END } from '../../../descriptor/public_page.ts';
import type { PublicPage } from '../../../descriptor/public_page.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';

/** A type that has a public page. */
export type PublicScreen = Screen & { public: PublicPage };

/** A link that opens a public page. */
export interface PublicLink {
  /** Path of the page, with the token. */
  path: string;
  expires_at: string | null;
  /** The number of uses; null = it can be used repeatedly. */
  used: number | null;
}

/** A token as it is kept. */
export interface KeptToken {
  hash: string;
  record_type: string;
  of_id: number;
  entity_id: number | null;
  uses: number | null;
  used: number;
  /** It belongs to a record of the page's own type, on a page that also has links of another type. */
  own: boolean;
}

interface Made {
  version: number;
  revoked: boolean;
  used_up: boolean;
  expires_at: string | null;
  used: number;
}

/** 128 bits in 22 characters. */
const TOKEN_BYTES = 16;
const TOKEN = /^[\w-]{22}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const table = ({ schema }: Tenant): string => `${quoted(schema)}.public_token`;

/**
 * The same record and version give the same token: a link that is sent again is identical. Each client has its own key.
 */
function tokenOf(key: Buffer, { schema }: Tenant, { type, id, version, own }: Named & { version: number }): string {
  const clients = createHmac('sha256', key).update(`public page of ${schema}`).digest();
  return createHmac('sha256', clients)
    .update(`${type} ${id} ${version}${own ? ' own' : ''}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('base64url');
}

/** The record of a link, for the public page of a type. */
interface Named {
  type: string;
  id: number;
  own: boolean;
}

export interface PublicLinks {
  /**
   * The link of a record to a public page, created if there is none that can still be used. `of`: the type of the
   * record, which for pages with a questionnaire is the template, or a started answer.
   */
  link(session: Session, screen: PublicScreen, id: number, of: string): Promise<PublicLink>;
  /** Revokes the link of a record; the next one will differ. @returns whether there was one */
  revoke(session: Session, screen: PublicScreen, id: number, of: string): Promise<boolean>;
}

/** Whether a link of a record belongs to its own type's page, which also has links of another type. */
const isOwn = ({ name, public: page }: PublicScreen, of: string): boolean => page.of !== null && of === name;

export function createPublicLinks(key: Buffer): PublicLinks {
  const last = async ({ tenant }: Session, { type, id, own }: Named): Promise<Made | undefined> =>
    (
      await tenant.db.query<Made>(
        `select version, revoked_at is not null as revoked, coalesce(used >= uses, false) as used_up, expires_at, used
         from ${table(tenant)} where record_type = $1 and of_id = $2 and own = $3 order by version desc limit 1`,
        [type, id, own],
      )
    )[0];
  return {
    async link(session, screen, id, of) {
      const { name, public: page } = screen;
      const { tenant, entityId, userId } = session;
      const own = isOwn(screen, of);
      const before = await last(session, { type: name, id, own });
      const version = before ? before.version + (before.revoked || before.used_up ? 1 : 0) : 1;
      const token = tokenOf(key, tenant, { type: name, id, version, own });
      const [row] = await tenant.db.query<{ expires_at: string | null; used: number }>(
        `insert into ${table(tenant)} (hash, record_type, of_id, version, entity_id, uses, made_by, expires_at, own)
         values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8::integer), $9)
         on conflict (hash) do update set expires_at = excluded.expires_at returning expires_at, used`,
        [
          hashOf(token),
          name,
          id,
          version,
          entityId,
          own ? (page.follow?.uses ?? page.uses) : page.uses,
          userId === 0 ? null : userId,
          own ? (page.follow?.days ?? page.days) : page.days,
          own,
        ],
      );
      return {
        path: page.route.replace(PUBLIC_END, PUBLIC_END.replace(':token', token)),
        expires_at: row!.expires_at,
        used: page.uses === null ? null : row!.used,
      };
    },
    async revoke({ tenant }, screen, id, of) {
      const rows = await tenant.db.query(
        `update ${table(tenant)} set revoked_at = now() where record_type = $1 and of_id = $2 and own = $3 and revoked_at is null returning 1`,
        [screen.name, id, isOwn(screen, of)],
      );
      return rows.length > 0;
    },
  };
}

const OPEN = 'hash = $1 and revoked_at is null and coalesce(expires_at > now(), true)';
const COLUMNS = 'hash, record_type, of_id, entity_id, uses, used, own';

/**
 * The target of a token; null = unknown, revoked or expired. `lock`: nobody else can use it before this transaction
 * ends.
 */
export async function openedBy(tenant: Tenant, token: string, { lock = false } = {}): Promise<KeptToken | null> {
  if (!TOKEN.test(token)) return null;
  const [row] = await tenant.db.query<KeptToken>(
    preparedStatement(`select ${COLUMNS} from ${table(tenant)} where ${OPEN}${lock ? ' for update' : ''}`, [
      hashOf(token),
    ]),
  );
  return row ?? null;
}

/** Records the use of a token, in the transaction that used it. */
export async function countUse(tenant: Tenant, { hash }: KeptToken): Promise<void> {
  await tenant.db.query(`update ${table(tenant)} set used = used + 1 where hash = $1`, [hash]);
}

/** Counts an attempt to write with a token, whatever its result. @returns the number of attempts in the current hour */
export async function countTry(tenant: Tenant, { hash }: KeptToken): Promise<number> {
  const [row] = await tenant.db.query<{ tries: number }>(
    `update ${table(tenant)} set
       tries = case when tries_from > now() - interval '1 hour' then tries + 1 else 1 end,
       tries_from = case when tries_from > now() - interval '1 hour' then tries_from else now() end
     where hash = $1 returning tries`,
    [hash],
  );
  return row?.tries ?? 0;
}
