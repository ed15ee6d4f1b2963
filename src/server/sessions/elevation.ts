import type { PageType } from '../../descriptor/types.ts';
import type { DataScope, Session } from '../context.ts';
import { quoted } from '../db/names.ts';
import type { CompiledRights } from './rights.ts';
import { PAGE_TYPES, widest } from './rights.ts';

/**
 * What the given roles grant that the session does not hold itself, in words; null = nothing. Nobody gives
 * others more than they have (platform_admin.md §2.3). Administrators hold everything.
 */
export async function beyondOwnRights(session: Session, roleIds: number[]): Promise<string | null> {
  if (session.rights.isAdmin || roleIds.length === 0) return null;
  const s = quoted(session.tenant.schema);
  const rights = session.rights as CompiledRights;
  const [screens, actions] = await Promise.all([
    session.tenant.db.query<{ role: string; code: string; scope: DataScope } & Record<PageType, boolean>>(
      `select r.role_name as role, x.screen_code as code, x.data_scope as scope, ${PAGE_TYPES.map((page) => `x.${page}`).join(', ')} from ${s}.screen_rights x join ${s}.role r on r.id = x.role_id
       left join ${s}.module_rights m on m.id = x.modules_rights_id
       where x.role_id = any($1) and coalesce(m.active, true) and not coalesce(m.hide_all, false)`, [roleIds]),
    session.tenant.db.query<{ role: string; action: string }>(`select r.role_name as role, a.action_code as action from ${s}.role_action a join ${s}.role r on r.id = a.role_id where a.role_id = any($1)`, [roleIds]),
  ]);
  for (const row of screens) {
    const page = PAGE_TYPES.find((one) => row[one] && !rights.holds([row.code], one));
    if (page) return `The role ${row.role} gives ${row.code}, which you do not hold yourself.`;
    const own = rights.screens().get(row.code)?.scope;
    if (own !== undefined && widest(own, row.scope) !== own && PAGE_TYPES.some((one) => row[one])) return `The role ${row.role} shows more records of ${row.code} than you see yourself.`;
  }
  const action = actions.find((row) => session.rights.refuseAction(row.action) !== null);
  return action ? `The role ${action.role} gives the action ${action.action}, which you do not hold yourself.` : null;
}
