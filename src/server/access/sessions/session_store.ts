import type { Place, Zones } from '../../../descriptor/place.ts';
import { unauthenticated } from './session_ended.ts';
import { revokeSessions } from './session_changes.ts';
import { USUAL_PLACE, zoneOf } from '../../../descriptor/place.ts';
import type { Session } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { fromNetworks } from '../../services/network/networks.ts';
import type { Bus } from '../../services/live/bus.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { absoluteEnd } from './expiry.ts';
import { lenderOf, readDelegations, withDelegations } from '../people/delegations.ts';
import type { CompiledRights } from '../rights/rights.ts';
import { compileCommonRights, compileRights, noRights } from '../rights/rights.ts';
import type { CompanyRow, SessionRow, SessionScope } from './session_rows.ts';
import { zonesFrom } from '../../services/clock/zones.ts';
import { readCommonRights, readAccount, readFieldGrants, readSession, readUnitedRoles } from './session_rows.ts';
import type { Claims } from './token.ts';

/** The minimum interval between writes of `last_seen_at`. */
const SEEN_EVERY_MS = 60_000;
const REMEMBERED = 20_000;

/** A session with data needed only by the sign-in calls. */
export interface LiveSession extends Session {
  rights: CompiledRights;
  /** Its possible rights before a part of the client's subscription ended. */
  beforeEnd?: CompiledRights;
  email: string;
  scope: SessionScope;
  transport: 'bearer' | 'cookie';
  expiresAt: Date;
  authAt: Date;
  flags: { chairman: boolean; ceo: boolean; secretary: boolean };
  userTypeCode: string | null;
  /** Whether the account may be used from an address. */
  usableFrom: (ip: string) => boolean;
  /** Of the current company; null = not mapped to a branch. */
  branchId: number | null;
  roleIds: number[];
  companies: CompanyRow[];
  /** The same session in another of the user's companies; none for sessions of the product itself. */
  inCompany?(entityId: number): Promise<LiveSession>;
}

export interface SessionStore {
  /** The session of verified claims in the requested company; throws AppError 401, 403. */
  resolve(tenant: Tenant, claims: Claims, entityId: number | null, now?: number): Promise<LiveSession>;
  /** The session of a service account's key; null if the account cannot be used today. */
  ofService(tenant: Tenant, userId: number, key: string, entityId: number | null): Promise<LiveSession | null>;
  /**
   * The session of a program that reads on a person's behalf without signing in; null if the person may not sign in
   * today.
   */
  ofPerson(tenant: Tenant, userId: number, key: string, entityId: number | null): Promise<LiveSession | null>;
  /** Clears the cache of a session, of a tenant, or of everything: the next call reloads it. */
  forget(schema?: string, sid?: string): void;
}

interface Entry {
  row: SessionRow;
  at: number;
  /** By company id; 0 = none. */
  byCompany: Map<number, Promise<LiveSession>>;
  tenantActive: boolean;
  /** The client's data at that time. */
  until: number | undefined;
  catalogue: string | undefined;
}

export function createSessionStore(bus: Bus): SessionStore {
  const entries = new Map<string, Promise<Entry | null>>();
  const rightsCache = new Map<string, Promise<CompiledRights>>();

  function forget(schema?: string, sid?: string): void {
    if (schema === undefined) entries.clear();
    else if (sid !== undefined) entries.delete(`${schema} ${sid}`);
    else for (const key of entries.keys()) if (key.startsWith(`${schema} `)) entries.delete(key);
    if (sid === undefined) rightsCache.clear();
  }
  bus.on((message) => {
    if (message.kind === 'session') forget(message.schema, message.sid);
    else if (message.kind === 'rights') forget(message.schema);
    else if (message.kind === 'client') forget();
  });
  bus.onGap(() => forget());

  async function read(tenant: Tenant, sid: string): Promise<Entry | null> {
    const at = performance.now();
    const row = await readSession(tenant, sid);
    if (row && (await idledOut(tenant, row))) return null;
    if (row && Date.now() - Date.parse(row.last_seen_at) > SEEN_EVERY_MS) {
      // Not awaited, and a failure does not refuse the call.
      tenant.db
        .query(`update ${quoted(tenant.schema)}.session set last_seen_at = now() where sid = $1`, [sid])
        .catch(() => undefined);
    }
    return (
      row && {
        row,
        at,
        byCompany: new Map(),
        tenantActive: tenant.active,
        until: tenant.until,
        catalogue: tenant.catalogue?.key,
      }
    );
  }

  /** Whether the session was idle longer than the client allows; such a session has ended permanently. */
  async function idledOut(tenant: Tenant, row: SessionRow): Promise<boolean> {
    const { session_idle_minutes: minutes } = await clientSettings(tenant);
    if (
      minutes === 0 ||
      row.revoked_at !== null ||
      Date.now() - Date.parse(row.last_seen_at) <= minutes * 60_000 + SEEN_EVERY_MS
    )
      return false;
    await revokeSessions(tenant.db, tenant.schema, 'idle', { where: 'sid = $1', values: [row.sid] });
    return true;
  }

  async function entryOf(
    tenant: Tenant,
    sid: string,
    readIt: () => Promise<Entry | null> = () => read(tenant, sid),
  ): Promise<Entry | null> {
    const key = `${tenant.schema} ${sid}`;
    const known = entries.get(key);
    if (known) {
      const entry = await known.catch(() => null);
      if (
        entry &&
        bus.isFresh(tenant.db, entry.at) &&
        entry.tenantActive === tenant.active &&
        entry.until === tenant.until &&
        entry.catalogue === tenant.catalogue?.key
      )
        return entry;
    }
    if (entries.size >= REMEMBERED) entries.clear();
    const reading = readIt();
    entries.set(key, reading);
    // An unknown session is looked up again: another process may just have created it.
    const settle = (keep: boolean) => {
      if (!keep && entries.get(key) === reading) entries.delete(key);
    };
    reading.then(
      (entry) => settle(entry !== null),
      () => settle(false),
    );
    return reading;
  }

  /** Rights depend only on these, so users with the same roles share one compilation. */
  function rightsOf(tenant: Tenant, row: SessionRow, roleIds: number[]): Promise<CompiledRights> {
    const userProducts = row.products ?? [];
    const key = JSON.stringify([
      tenant.schema,
      row.rights_version,
      row.is_admin,
      row.user_type_code,
      row.is_super,
      roleIds,
      tenant.products,
      tenant.ended?.products,
      tenant.catalogue?.key,
      userProducts,
    ]);
    const known = rightsCache.get(key);
    if (known) return known;
    if (rightsCache.size > 2_000) rightsCache.clear();
    const compiling = compile(tenant, row, roleIds, userProducts);
    rightsCache.set(key, compiling);
    compiling.catch(() => rightsCache.delete(key));
    return compiling;
  }

  async function compile(
    tenant: Tenant,
    row: SessionRow,
    roleIds: number[],
    userProducts: string[],
  ): Promise<CompiledRights> {
    if (row.user_type_code !== null) {
      return compileCommonRights({
        isSuper: row.is_super,
        version: row.rights_version,
        screens: await readCommonRights(tenant.db, row.user_type_code),
      });
    }
    const off = tenant.catalogue?.modulesOff ?? [];
    const fields = row.is_admin ? undefined : await readFieldGrants(tenant, roleIds, off);
    return compileRights({
      isAdmin: row.is_admin,
      version: row.rights_version,
      clientProducts: tenant.products,
      userProducts,
      roles: [await readUnitedRoles(tenant, roleIds, off)],
      ...(fields && { fields }),
      ...(tenant.ended && { ended: tenant.ended.products }),
      ...(tenant.catalogue && { catalogue: tenant.catalogue }),
    });
  }

  /** As if the client still had everything it ever purchased. */
  function beforeEnd({ ended, ...tenant }: Tenant, row: SessionRow, roleIds: number[]): Promise<CompiledRights> {
    return rightsOf({ ...tenant, products: [...tenant.products, ...Object.keys(ended?.products ?? {})] }, row, roleIds);
  }

  function zonesIn(tenant: Tenant, { zones }: SessionRow): Zones {
    return zonesFrom(tenant.timezone, zones ?? { companies: {}, branches: {} });
  }

  function placeIn(tenant: Tenant, row: SessionRow, company: CompanyRow | null): Place {
    const of = company ?? row.companies[0];
    const clientCurrency = row.client_currency ?? USUAL_PLACE.clientCurrency;
    const zones = zonesIn(tenant, row);
    return {
      timezone: zoneOf({ branchId: company?.branch_id, entityId: company?.entity_id }, zones),
      zones,
      entityId: company?.entity_id ?? null,
      fyStartMonth: of?.fy_start_month ?? USUAL_PLACE.fyStartMonth,
      currency: of?.currency ?? clientCurrency,
      clientCurrency,
    };
  }

  async function build(entry: Entry, tenant: Tenant, company: CompanyRow | null): Promise<LiveSession> {
    const { row } = entry;
    // Without a company, the user's rights in their default company.
    const roleIds = [...((company ?? row.companies[0])?.role_ids ?? [])].sort((a, b) => a - b);
    const limited = !tenant.active || row.scope !== 'full';
    const why = limited ? 'This session may not do this.' : (tenant.ended?.all ?? null);
    const own = why === null ? await rightsOf(tenant, row, roleIds) : noRights(row.rights_version, why);
    const given =
      why === null && row.employee_id !== null && company
        ? await readDelegations(
            tenant,
            row.employee_id,
            company.entity_id,
            zoneOf({ entityId: company.entity_id }, zonesIn(tenant, row))!,
          )
        : [];
    const actsFor = given.map(lenderOf);
    const lent = given.map(async ({ is_admin, products, role_ids: roles }, at) => ({
      ...actsFor[at]!,
      rights: await rightsOf(
        tenant,
        { ...row, is_admin, products },
        [...roles].sort((a, b) => a - b),
      ),
    }));
    const rights = given.length === 0 ? own : withDelegations(own, await Promise.all(lent));
    return {
      sid: row.sid,
      tenant,
      userId: row.user_id,
      userName: row.name,
      email: row.email,
      employeeId: row.employee_id,
      entityId: company?.entity_id ?? null,
      entityIds: row.companies.map(({ entity_id }) => entity_id),
      branchIds: company
        ? [...new Set([...(company.branch_id === null ? [] : [company.branch_id]), ...company.branch_ids])]
        : [],
      branchId: company?.branch_id ?? null,
      place: placeIn(tenant, row, company),
      partnerId: row.partner_id,
      roleIds,
      rights,
      ...(actsFor.length > 0 && { actsFor }),
      ...(tenant.ended && !limited && { beforeEnd: await beforeEnd(tenant, row, roleIds) }),
      scope: row.scope,
      transport: row.transport,
      expiresAt: new Date(row.expires_at),
      authAt: new Date(row.auth_at),
      flags: { chairman: row.chairman_flag, ceo: row.ceo_flag, secretary: row.secretary_flag },
      userTypeCode: row.user_type_code,
      usableFrom: fromNetworks(row.ip_allow),
      companies: row.companies,
      inCompany: (id) => inCompany(entry, tenant, id),
    };
  }

  /** The requested company must be the user's; without one, the session's, or the only one. */
  function companyOf(row: SessionRow, asked: number | null): CompanyRow | null {
    const find = (id: number | null) => row.companies.find(({ entity_id }) => entity_id === id) ?? null;
    if (asked !== null) {
      const company = find(asked);
      if (company) return company;
      throw new AppError(403, 'entity_forbidden', 'You are not mapped to this company.');
    }
    return find(row.entity_id) ?? (row.companies.length === 1 ? (row.companies[0] ?? null) : null);
  }

  function inCompany(entry: Entry, tenant: Tenant, entityId: number | null): Promise<LiveSession> {
    const company = companyOf(entry.row, entityId);
    const key = company?.entity_id ?? 0;
    let session = entry.byCompany.get(key);
    if (session === undefined) {
      session = build(entry, tenant, company);
      entry.byCompany.set(key, session);
      session.catch(() => entry.byCompany.delete(key));
    }
    return session;
  }

  async function withoutSignIn(
    tenant: Tenant,
    userId: number,
    key: string,
    entityId: number | null,
    of: 'service' | 'person',
  ): Promise<LiveSession | null> {
    const entry = await entryOf(tenant, key, async () => {
      const at = performance.now();
      const row = await readAccount(tenant, userId, key, of);
      return (
        row && {
          row,
          at,
          byCompany: new Map(),
          tenantActive: tenant.active,
          until: tenant.until,
          catalogue: tenant.catalogue?.key,
        }
      );
    });
    return entry?.row.usable && entry.row.user_id === userId ? inCompany(entry, tenant, entityId) : null;
  }

  return {
    forget,
    ofService: (tenant, userId, key, entityId) => withoutSignIn(tenant, userId, key, entityId, 'service'),
    ofPerson: (tenant, userId, key, entityId) => withoutSignIn(tenant, userId, key, entityId, 'person'),
    async resolve(tenant, claims, entityId, now = Date.now()) {
      const entry = await entryOf(tenant, claims.sid);
      if (entry === null) throw unauthenticated();
      const { row } = entry;
      const { session_absolute_days: days } = await clientSettings(tenant);
      const good =
        row.revoked_at === null &&
        row.usable &&
        String(row.user_id) === claims.sub &&
        Date.parse(row.expires_at) > now &&
        absoluteEnd(new Date(row.auth_at), days).getTime() > now &&
        claims.exp * 1000 > now &&
        (claims.iat >= row.min_iat || now < (row.min_iat + 60) * 1000);
      // The oldest of too many sign-ins: its user is informed of the reason.
      if (!good && row.revoke_reason === 'replaced')
        throw new AppError(401, 'unauthenticated', 'Signed in elsewhere', { reason: 'replaced' });
      if (!good) throw unauthenticated();
      return inCompany(entry, tenant, entityId);
    },
  };
}
