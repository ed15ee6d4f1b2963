import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { FieldAccess } from '../../../domain/field_access.ts';
import { widerAccess } from '../../../domain/field_access.ts';
import type { DataScope, Session } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { CompiledRights } from './rights.ts';
import { compileRights, PAGE_TYPES, widest } from './rights.ts';
import { readFieldGrants, readUnitedRoles } from '../sessions/session_rows.ts';

/** A person's current or future roles in a company. */
export interface RolesInCompany {
  entity_id: number;
  role_ids: readonly number[] | null;
}

/**
 * The grants of the given roles that the session's person does not have in the same company, as text; null = none.
 * Nobody can give others more than they have (platform_admin.md §2.3): rights held as a deputy do not count.
 * Administrators hold everything.
 * @param types the client's record types
 */
export async function beyondOwnRights(
  session: Session,
  given: readonly RolesInCompany[],
  types: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  if (session.rights.isAdmin) return null;
  for (const [company, rows] of Map.groupBy(given, ({ entity_id: id }) => id)) {
    const rights = await ownRightsIn(session, company);
    if (rights === null)
      return 'You do not work in one of these companies yourself, so you cannot assign anything there.';
    const beyond = await beyondRights(session, rights, [...new Set(rows.flatMap((row) => row.role_ids ?? []))], types);
    if (beyond !== null) return beyond;
  }
  return null;
}

/**
 * The grants of the roles that the session's person does not have in the current company; see {@link beyondOwnRights}.
 */
export async function beyondCurrentRights(
  session: Session,
  roleIds: readonly number[],
  types: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  if (session.rights.isAdmin) return null;
  const rights = session.entityId === null ? null : await ownRightsIn(session, session.entityId);
  return rights === null ? 'Choose a company first.' : beyondRights(session, rights, roleIds, types);
}

/** The grants of an account beyond those of the session, as text; null = none. */
export async function accountBeyondOwnRights(
  session: Session,
  userId: number,
  types: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  if (session.rights.isAdmin) return null;
  const s = quoted(session.tenant.schema);
  const [account] = await session.tenant.db.query<{ is_admin: boolean; companies: RolesInCompany[] }>(
    `select coalesce(u.is_admin, false) as is_admin,
       coalesce((select json_agg(json_build_object('entity_id', c.entity_id, 'role_ids', c.role_ids)) from ${s}.users__companies c where c.parent_id = u.id), '[]') as companies
     from ${s}.users u where u.id = $1`,
    [userId],
  );
  if (account?.is_admin) return 'An administrator has more rights than you.';
  return beyondOwnRights(session, account?.companies ?? [], types);
}

/** The stored grants of the person's own roles in a company; null = they do not work there. */
async function ownRightsIn({ tenant, userId, rights }: Session, entityId: number): Promise<CompiledRights | null> {
  const [row] = await tenant.db.query<{ role_ids: number[] | null }>(
    `select c.role_ids from ${quoted(tenant.schema)}.users__companies c where c.parent_id = $1 and c.entity_id = $2`,
    [userId, entityId],
  );
  if (!row) return null;
  const roleIds = row.role_ids ?? [];
  const off = tenant.catalogue?.modulesOff ?? [];
  const fields = await readFieldGrants(tenant, roleIds, off);
  return compileRights({
    isAdmin: false,
    version: 0,
    clientProducts: tenant.products,
    userProducts: [...(rights as CompiledRights).products],
    roles: [await readUnitedRoles(tenant, roleIds, off)],
    ...(fields && { fields }),
    ...(tenant.catalogue && { catalogue: tenant.catalogue }),
  });
}

async function beyondRights(
  { tenant }: Session,
  rights: CompiledRights,
  roleIds: readonly number[],
  types: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  if (roleIds.length === 0) return null;
  const s = quoted(tenant.schema);
  const [screens, actions] = await Promise.all([
    tenant.db.query<{ role: string; code: string; scope: DataScope } & Record<PageType, boolean>>(
      `select r.role_name as role, x.screen_code as code, x.data_scope as scope, ${PAGE_TYPES.map((page) => `x.${page}`).join(', ')} from ${s}.screen_rights x join ${s}.role r on r.id = x.role_id
       left join ${s}.module_rights m on m.id = x.modules_rights_id
       where x.role_id = any($1) and coalesce(m.active, true) and not coalesce(m.hide_all, false)`,
      [roleIds],
    ),
    tenant.db.query<{ role: string; action: string }>(
      `select r.role_name as role, a.action_code as action from ${s}.role_action a join ${s}.role r on r.id = a.role_id where a.role_id = any($1)`,
      [roleIds],
    ),
  ]);
  for (const row of screens) {
    const page = PAGE_TYPES.find((one) => row[one] && !rights.holds([row.code], one));
    if (page) return `The role ${row.role} gives ${row.code}, which you do not hold yourself.`;
    const own = rights.screens().get(row.code)?.scope;
    if (own !== undefined && widest(own, row.scope) !== own && PAGE_TYPES.some((one) => row[one]))
      return `The role ${row.role} shows more records of ${row.code} than you see yourself.`;
  }
  const action = actions.find((row) => rights.refuseAction(row.action) !== null);
  if (action) return `The role ${action.role} gives the action ${action.action}, which you do not hold yourself.`;
  return rights.restricted ? beyondOwnFields(tenant, rights, roleIds, types, screens) : null;
}

/** A role that gives a screen and restricts fewer of its fields than are restricted for the session. */
async function beyondOwnFields(
  tenant: Tenant,
  rights: CompiledRights,
  roleIds: readonly number[],
  types: ReadonlyMap<string, Screen>,
  given: ({ role: string; code: string } & Record<PageType, boolean>)[],
): Promise<string | null> {
  const s = quoted(tenant.schema);
  const said = await tenant.db.query<{ role: string; type: string; field: string; access: FieldAccess }>(
    `select r.role_name as role, f.record_type as type, f.field, f.access from ${s}.field_right f join ${s}.role r on r.id = f.role_id where f.role_id = any($1)`,
    [roleIds],
  );
  for (const screen of types.values())
    for (const [field, own] of rights.fieldAccess(screen)) {
      const roles = new Set(
        given
          .filter((row) => screen.access.screens.includes(row.code) && PAGE_TYPES.some((page) => row[page]))
          .map(({ role }) => role),
      );
      for (const role of roles) {
        const access =
          said.find((one) => one.role === role && one.type === screen.name && one.field === field)?.access ?? 'write';
        if (widerAccess(access, own) !== own)
          return `The role ${role} shows or lets people change a field of ${screen.plural} that you cannot see.`;
      }
    }
  return null;
}
