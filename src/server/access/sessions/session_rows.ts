import type { PageType } from '../../../descriptor/types.ts';
import type { FieldRightOfRole } from '../../../domain/field_access.ts';
import type { DataScope } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { EnteredZones } from '../../services/clock/zones.ts';
import { enteredZonesSql } from '../../services/clock/zones.ts';
import type { FieldGrants, RoleGrants } from '../rights/rights.ts';
import { PAGE_TYPES } from '../rights/rights.ts';

export type SessionScope = 'full' | 'features_only' | 'password_change' | 'otp';

/** A company the user is mapped to. */
export interface CompanyRow {
  entity_id: number;
  is_default: boolean;
  branch_id: number | null;
  fy_start_month: number;
  currency: string;
  branch_ids: number[];
  role_ids: number[];
}

/** The session's row with the data of its user. Times are ISO text. */
export interface SessionRow {
  sid: string;
  user_id: number;
  entity_id: number | null;
  expires_at: string;
  auth_at: string;
  last_seen_at: string;
  min_iat: number;
  revoked_at: string | null;
  revoke_reason: string | null;
  transport: 'bearer' | 'cookie';
  scope: SessionScope;
  name: string;
  email: string;
  employee_id: number | null;
  is_admin: boolean;
  chairman_flag: boolean;
  ceo_flag: boolean;
  secretary_flag: boolean;
  products: string[] | null;
  /** Networks from which it may be used, one per line; empty = any. */
  ip_allow: string | null;
  /** The account may be used today. */
  usable: boolean;
  rights_version: number;
  companies: CompanyRow[];
  /** Of companies and branches; null on the platform. */
  zones: EnteredZones | null;
  /** Of the client's first company. */
  client_currency: string | null;
  /** Platform administrators only. */
  user_type_code: string | null;
  is_super: boolean;
  partner_id: number | null;
}

/**
 * The SQL condition that an account may sign in on the client's current day, on `users` u; `zone` stands for the
 * client's time zone.
 */
export const usableUser = (
  zone: string,
): string => `(u.active and u.status = 'active' and not coalesce(u.is_service, false)
  and (u.valid_from is null or u.valid_from <= (now() at time zone ${zone}::text)::date) and (u.valid_to is null or u.valid_to >= (now() at time zone ${zone}::text)::date))`;

/** The same for service accounts, which never sign in. */
const usableService = (zone: string): string =>
  usableUser(zone).replace('not coalesce(u.is_service, false)', 'u.is_service');

/** The user data of a session, and the user's companies. */
function ofUser(s: string, usable: string): string {
  return `u.name, u.email, u.employee_id, coalesce(u.is_admin, false) as is_admin, coalesce(u.chairman_flag, false) as chairman_flag,
      coalesce(u.ceo_flag, false) as ceo_flag, coalesce(u.secretary_flag, false) as secretary_flag, u.products, u.ip_allow,
      ${usable} as usable, v.version as rights_version, null as user_type_code, false as is_super, null as partner_id,
      coalesce((select json_agg(json_build_object('entity_id', c.entity_id, 'is_default', coalesce(c.is_default, false), 'branch_id', c.branch_id,
          'fy_start_month', e.fy_start_month, 'currency', e.currency, 'branch_ids', coalesce(c.branch_ids, '{}'), 'role_ids', coalesce(c.role_ids, '{}')) order by c.is_default desc nulls last, e.sequence_no nulls last, c.entity_id)
        from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id and e.active where c.parent_id = u.id), '[]') as companies,
      (select e.currency from ${s}.entity e where e.active order by e.parent_entity_id is not null, e.sequence_no nulls last, e.id limit 1) as client_currency, ${enteredZonesSql(s)} as zones`;
}

function tenantText(schema: string): string {
  const s = quoted(schema);
  return `select s.sid, s.user_id, s.entity_id, s.expires_at, s.auth_at, s.last_seen_at, s.min_iat, s.revoked_at, s.revoke_reason, s.transport, s.scope,
      ${ofUser(s, usableUser('$2'))}
    from ${s}.session s join ${s}.users u on u.id = s.user_id cross join ${s}.rights_version v where s.sid = $1`;
}

const platformText = `select s.sid, s.user_id, null as entity_id, s.expires_at, s.auth_at, s.last_seen_at, s.min_iat, s.revoked_at, s.revoke_reason, s.transport, s.scope,
    u.name, u.email, null as employee_id, false as is_admin, false as chairman_flag, false as ceo_flag, false as secretary_flag,
    null as products, null as ip_allow, u.active and t.active as usable, 1 as rights_version, t.code as user_type_code, coalesce(t.is_super, false) as is_super,
    (to_jsonb(u) ->> 'partner_id')::bigint as partner_id, '[]'::json as companies, null as client_currency, null as zones
  from public.session s join public.common_user u on u.id = s.user_id join public.user_type t on t.id = u.user_type_id where s.sid = $1`;

/** Reads a session with its user and companies in one statement; null if there is none. */
export async function readSession(tenant: Tenant, sid: string): Promise<SessionRow | null> {
  const text = tenant.schema === 'public' ? platformText : tenantText(tenant.schema);
  const [row] = await tenant.db.query<SessionRow>({
    name: `session_${tenant.schema}`.slice(0, 63),
    text,
    values: tenant.schema === 'public' ? [sid] : [sid, tenant.timezone],
  });
  return row ?? null;
}

/**
 * An account as the session of a program: a service account's key, or a person's calendar application. null if there is
 * none.
 */
export async function readAccount(
  { db, schema, timezone }: Tenant,
  userId: number,
  sid: string,
  of: 'service' | 'person',
): Promise<SessionRow | null> {
  const s = quoted(schema);
  const [row] = await db.query<SessionRow>({
    name: `${of}_${schema}`.slice(0, 63),
    text: `select $2::text as sid, u.id as user_id, null::bigint as entity_id, now() + interval '1 hour' as expires_at, now() as auth_at, now() as last_seen_at, 0 as min_iat,
        null::timestamptz as revoked_at, null as revoke_reason, 'bearer' as transport, 'full' as scope, ${ofUser(s, of === 'service' ? usableService('$3') : usableUser('$3'))}
      from ${s}.users u cross join ${s}.rights_version v where u.id = $1`,
    values: [userId, sid, timezone],
  });
  return row ?? null;
}

interface GrantsRow {
  id: number;
  role_name: string;
  landing_route: string | null;
  modules: { code: string; active: boolean; hide_all: boolean }[];
  screens: ({ code: string; module: string | null; scope: DataScope } & Record<PageType, boolean>)[];
  actions: string[];
}

/** The roles with their grants, without inactive roles. */
export async function readRoles(
  tenant: Tenant,
  roleIds: number[],
): Promise<(RoleGrants & { id: number; name: string; startPage: string | null })[]> {
  if (roleIds.length === 0) return [];
  const s = quoted(tenant.schema);
  const rows = await tenant.db.query<GrantsRow>({
    name: `roles_${tenant.schema}`.slice(0, 63),
    text: `select r.id, r.role_name, r.landing_route,
        coalesce((select json_agg(json_build_object('code', m.module_code, 'active', m.active, 'hide_all', m.hide_all))
          from ${s}.module_rights m where m.role_id = r.id), '[]') as modules,
        coalesce((select json_agg(json_build_object('code', x.screen_code, 'module', m.module_code, 'scope', x.data_scope,
            'landing', x.landing, 'add_screen', x.add_screen, 'edit_screen', x.edit_screen, 'view_screen', x.view_screen,
            'approval_screen', x.approval_screen, 'transfer_screen', x.transfer_screen))
          from ${s}.screen_rights x left join ${s}.module_rights m on m.id = x.modules_rights_id and m.role_id = x.role_id
          where x.role_id = r.id), '[]') as screens,
        array(select a.action_code from ${s}.role_action a where a.role_id = r.id) as actions
      from ${s}.role r where r.id = any($1) and r.active`,
    values: [roleIds],
  });
  return rows.map(({ id, role_name, landing_route, modules, screens, actions }) => ({
    id,
    name: role_name,
    startPage: landing_route,
    modules: modules.map(({ code, active, hide_all }) => ({ code, active, hideAll: hide_all })),
    screens,
    actions,
  }));
}

/**
 * The grants of all roles combined into one: a role's tick counts only if the role opens the module itself. Regardless
 * of the number of roles, a screen occurs once per module; modules that are switched off everywhere open nothing.
 */
export async function readUnitedRoles(
  tenant: Tenant,
  roleIds: number[],
  modulesOff: Iterable<string>,
): Promise<RoleGrants> {
  if (roleIds.length === 0) return { modules: [], screens: [], actions: [] };
  const s = quoted(tenant.schema);
  const [row] = await tenant.db.query<{ modules: string[]; screens: RoleGrants['screens']; actions: string[] }>({
    name: `united_roles_${tenant.schema}`.slice(0, 63),
    text: `with own as materialized (select id from ${s}.role where id = any($1) and active),
        open as materialized (select m.id, m.role_id, m.module_code from ${s}.module_rights m join own on own.id = m.role_id where m.active and not m.hide_all and m.module_code <> all($2)),
        ticked as (select x.screen_code as code, o.module_code as module,
            (array['own', 'team', 'branch', 'company', 'all_companies'])[max(case x.data_scope when 'own' then 1 when 'team' then 2 when 'branch' then 3 when 'company' then 4 else 5 end)] as scope,
            ${PAGE_TYPES.map((page) => `bool_or(x.${page}) as ${page}`).join(', ')}
          from ${s}.screen_rights x join own on own.id = x.role_id left join open o on o.id = x.modules_rights_id and o.role_id = x.role_id
          where (${PAGE_TYPES.map((page) => `x.${page}`).join(' or ')})
            and (o.id is not null or x.role_id in (select role_id from open)
              and not exists (select 1 from ${s}.module_rights m where m.id = x.modules_rights_id and m.role_id = x.role_id))
          group by x.screen_code, o.module_code)
      select array(select distinct module_code from open) as modules, coalesce((select json_agg(t) from ticked t), '[]') as screens,
        array(select distinct a.action_code from ${s}.role_action a join own on own.id = a.role_id) as actions`,
    values: [roleIds, [...modulesOff]],
  });
  const { modules, screens, actions } = row!;
  return { modules: modules.map((code) => ({ code, active: true, hideAll: false })), screens, actions };
}

/** The roles' field rights; undefined = none. Which role gives a screen is determined as in {@link readUnitedRoles}. */
export async function readFieldGrants(
  { db, schema }: Tenant,
  roleIds: number[],
  modulesOff: Iterable<string>,
): Promise<FieldGrants | undefined> {
  if (roleIds.length === 0) return undefined;
  const s = quoted(schema);
  const rights = await db.query<FieldRightOfRole>({
    name: `field_rights_${schema}`.slice(0, 63),
    text: `select f.role_id as role, f.record_type, f.field, f.access from ${s}.field_right f join ${s}.role r on r.id = f.role_id and r.active where f.role_id = any($1) order by f.record_type, f.field, f.role_id`,
    values: [roleIds],
  });
  if (rights.length === 0) return undefined;
  const grantors = await db.query<{ code: string; roles: number[] }>({
    name: `field_grantors_${schema}`.slice(0, 63),
    text: `select x.screen_code as code, array_agg(x.role_id) as roles from ${s}.screen_rights x
      join ${s}.role r on r.id = x.role_id and r.active left join ${s}.module_rights m on m.id = x.modules_rights_id and m.role_id = x.role_id
      where x.role_id = any($1) and (${PAGE_TYPES.map((page) => `x.${page}`).join(' or ')}) and (m.active and not m.hide_all and m.module_code <> all($2)
          or m.id is null and exists (select 1 from ${s}.module_rights o where o.role_id = x.role_id and o.active and not o.hide_all and o.module_code <> all($2)))
      group by x.screen_code`,
    values: [roleIds, [...modulesOff]],
  });
  return { rights, grantors: new Map(grantors.map(({ code, roles }) => [code, roles])) };
}

/** Common rights of a platform user type. */
export function readCommonRights(
  on: Queryable,
  userType: string,
): Promise<({ code: string } & Record<PageType, boolean>)[]> {
  return on.query({
    name: 'common_rights',
    text: `select r.screen_code as code, r.landing, r.add_screen, r.edit_screen, r.view_screen, r.approval_screen, r.transfer_screen
           from public.common_right r join public.user_type t on t.id = r.user_type_id where t.code = $1 order by r.screen_code`,
    values: [userType],
  });
}

/** The active sessions of a person, the last used first. */
export function openSessions(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  userId: number,
): Promise<{ sid: string }[]> {
  return db.query(
    `select sid, device_label, ip, created_at, last_seen_at, expires_at from ${quoted(schema)}.session
     where user_id = $1 and revoked_at is null and expires_at > now() order by last_seen_at desc, sid limit 100`,
    [userId],
  );
}

/** The name of a company and the first month of its financial year. */
export async function readCompany(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  id: number,
): Promise<{ name: string; start: number } | null> {
  const [row] = await db.query<{ name: string; start: number }>(
    `select name, fy_start_month as start from ${quoted(schema)}.entity where id = $1`,
    [id],
  );
  return row ?? null;
}
