import type { Session } from '../../access/context.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

export const QUICK_LINK = 'quick_link';
const MAX_SHOWN = 200;

/** The shortcuts of a person: their own first, then those for their roles and the general ones. */
export function linksFor({ tenant, userId, roleIds }: LiveSession): Promise<object[]> {
  return tenant.db.query<object>(
    preparedStatement(
      `select t.id, t.title, t.url, t.icon, t.color, t.audience = 'me' as own from ${tableName(tenant.schema, QUICK_LINK)} t
       where t.active and (t.audience = 'all' or (t.audience = 'role' and t.role_ids && $2::bigint[]) or (t.audience = 'me' and t.owner_id = $1))
       order by t.audience = 'me' desc, t.seq, lower(t.title), t.id limit ${MAX_SHOWN}`,
      [userId, roleIds],
    ),
  );
}

/** The person's own shortcuts. */
export function ownLinks({ tenant, userId }: Session): Promise<{ id: number; url: string }[]> {
  return tenant.db.query<{ id: number; url: string }>(
    preparedStatement(
      `select t.id, t.url from ${tableName(tenant.schema, QUICK_LINK)} t where t.active and t.audience = 'me' and t.owner_id = $1`,
      [userId],
    ),
  );
}
