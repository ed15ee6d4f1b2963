import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** How a refused action was resolved: done after all, or discarded. */
export type Settled = 'done' | 'discarded';

/** A person resolves a refused action of their own. @returns whether it was still open */
export async function settleRefused({ tenant, userId }: Session, key: string, how: Settled): Promise<boolean> {
  // Platform users work only online.
  if (tenant.schema === 'public') return false;
  const settled = await tenant.db.query(
    `update ${quoted(tenant.schema)}.refused_act set settled_at = now(), settled = $3 where user_id = $1 and key = $2 and settled_at is null returning 1`,
    [userId, key, how],
  );
  return settled.length > 0;
}

/**
 * Somebody has taken the refused transition on the record itself, or has deleted the record: nobody has to decide about
 * it any more. @param act the transition; null: all actions on the record
 */
export async function settleRefusedOf(
  { tenant }: Session,
  { name, offline }: Screen,
  id: number,
  act: string | null,
): Promise<void> {
  if (!offline || tenant.schema === 'public' || (act !== null && !offline.does.includes(act))) return;
  await tenant.db.query(
    preparedStatement(
      `update ${quoted(tenant.schema)}.refused_act set settled_at = now(), settled = $4
       where record_type = $1 and record_id = $2 and ($3::text is null or act = $3) and settled_at is null`,
      [name, id, act, act === null ? 'discarded' : 'done'],
    ),
  );
}
