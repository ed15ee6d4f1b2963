import type { PageType, Screen } from '../../descriptor/types.ts';
import type { FieldAccess } from '../../domain/field_access.ts';
import { widerAccess } from '../../domain/field_access.ts';
import type { DataScope, Session } from '../context.ts';
import { quoted } from '../db/names.ts';
import type { CompiledRights } from './rights.ts';
import { PAGE_TYPES, widest } from './rights.ts';

/**
 * What the given roles grant that the session does not hold itself, in words; null = nothing. Nobody gives
 * others more than they have (platform_admin.md §2.3). Administrators hold everything.
 * @param types the client's record types
 */
export async function beyondOwnRights(
  session: Session,
  roleIds: number[],
  types: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  if (session.rights.isAdmin || roleIds.length === 0) return null;
  const s = quoted(session.tenant.schema);
  const rights = session.rights as CompiledRights;
  const [screens, actions] = await Promise.all([
    session.tenant.db.query<{ role: string; code: string; scope: DataScope } & Record<PageType, boolean>>(
      `select r.role_name as role, x.screen_code as code, x.data_scope as scope, ${PAGE_TYPES.map((page) => `x.${page}`).join(', ')} from ${s}.screen_rights x join ${s}.role r on r.id = x.role_id
       left join ${s}.module_rights m on m.id = x.modules_rights_id
       where x.role_id = any($1) and coalesce(m.active, true) and not coalesce(m.hide_all, false)`,
      [roleIds],
    ),
    session.tenant.db.query<{ role: string; action: string }>(
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
  const action = actions.find((row) => session.rights.refuseAction(row.action) !== null);
  if (action) return `The role ${action.role} gives the action ${action.action}, which you do not hold yourself.`;
  return rights.restricted ? beyondOwnFields(session, roleIds, types, screens) : null;
}

/** A role that gives a screen and keeps less of its fields than is kept from the session. */
async function beyondOwnFields(
  { tenant, rights }: Session,
  roleIds: number[],
  types: ReadonlyMap<string, Screen>,
  given: ({ role: string; code: string } & Record<PageType, boolean>)[],
): Promise<string | null> {
  const s = quoted(tenant.schema);
  const said = await tenant.db.query<{ role: string; type: string; field: string; access: FieldAccess }>(
    `select r.role_name as role, f.record_type as type, f.field, f.access from ${s}.field_right f join ${s}.role r on r.id = f.role_id where f.role_id = any($1)`,
    [roleIds],
  );
  for (const screen of types.values())
    for (const [field, own] of (rights as CompiledRights).fieldAccess(screen)) {
      const roles = new Set(
        given
          .filter((row) => screen.access.screens.includes(row.code) && PAGE_TYPES.some((page) => row[page]))
          .map(({ role }) => role),
      );
      for (const role of roles) {
        const access =
          said.find((one) => one.role === role && one.type === screen.name && one.field === field)?.access ?? 'write';
        if (widerAccess(access, own) !== own)
          return `The role ${role} shows or lets people write a field of ${screen.plural} that is kept from you.`;
      }
    }
  return null;
}
