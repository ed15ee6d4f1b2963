import { formatDate } from '../../../descriptor/format.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { dayOf } from '../../services/clock/zones.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { monthTitle } from './kpi_months.ts';

type Row = Record<string, unknown>;

/** The state of the period of an update `a`: its department's own period takes precedence. */
export const LOCK_OF_UPDATE = `(select l.status from {kpi_period_lock} l where l.active and l.entity_id = a.entity_id and l.month = a.month
  and (l.department_id is null or l.department_id = a.department_id) order by l.department_id nulls last limit 1)`;

/**
 * Why an update of a period may not be entered or decided now; null = it may. A closing period takes no entries, and
 * what is submitted can still be decided.
 */
export async function periodRefusal(session: Session, update: Row, what: 'enter' | 'decide'): Promise<string | null> {
  const { db, schema } = session.tenant;
  const [lock] = await db.query<{ status: string; frozen_at: string | null }>(
    preparedStatement(
      `select l.status, l.frozen_at::text as frozen_at from ${tableName(schema, 'kpi_period_lock')} l
       where l.active and l.entity_id = $1 and l.month = $2 and (l.department_id is null or l.department_id = $3)
       order by l.department_id nulls last limit 1`,
      [update.entity_id, update.month, update.department_id ?? null],
    ),
  );
  const title = monthTitle(String(update.month));
  if (lock?.status === 'frozen') {
    const place = { branchId: update.branch_id, entityId: update.entity_id };
    const day = lock.frozen_at && dayOf(placeOf(session).zones, place, Date.parse(lock.frozen_at));
    return `${title} is frozen${day ? ` since ${formatDate(day)}` : ''}. Ask HR to reopen it.`;
  }
  if (lock?.status === 'closing' && what === 'enter')
    return `Entries of ${title} have ended. Ask HR to allow them again.`;
  return null;
}
