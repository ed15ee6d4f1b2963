import { formatDate } from '../../../descriptor/format.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { unitOf } from '../../engine/records/unit_of_work.ts';
import { dayOf } from '../../services/clock/zones.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { monthTitle } from '../../../domain/month_names.ts';

type Row = Record<string, unknown>;

/** A column of the period of an update `a`: its department's own period takes precedence. */
const ofLock = (
  column: 'id' | 'status',
) => `(select l.${column} from {kpi_period_lock} l where l.active and l.entity_id = a.entity_id and l.month = a.month
  and (l.department_id is null or l.department_id = a.department_id) order by l.department_id nulls last limit 1)`;

/** Whether `l` is the period of an update `a` of its month: a department's own one, otherwise that of the company. */
export const IS_PERIOD_OF = `(l.department_id = a.department_id or (l.department_id is null and not exists (
  select 1 from {kpi_period_lock} o where o.active and o.entity_id = a.entity_id and o.month = a.month and o.department_id = a.department_id)))`;

/** The state of the period of an update `a`. */
export const LOCK_OF_UPDATE = ofLock('status');
/** An update `a` that may still change: it is not frozen, or its period was reopened a moment ago. */
export const OPEN_UPDATE = `a.active and (a.status <> 'frozen' or ${LOCK_OF_UPDATE} = 'reopened')`;
/** The period of an update `a`. */
export const LOCK_ID_OF_UPDATE = ofLock('id');

/**
 * Why an update of a period may not be entered or decided now; null = it may. A closing period takes no entries, and
 * what is submitted can still be decided. Within a transaction the period is kept as it is until its end: a freeze of
 * the same moment either waits for the update, or refuses it.
 */
export async function periodRefusal(session: Session, update: Row, what: 'enter' | 'decide'): Promise<string | null> {
  const { db, schema } = session.tenant;
  const [lock] = await db.query<{ status: string; frozen_at: string | null }>(
    preparedStatement(
      `select l.status, l.frozen_at::text as frozen_at from ${tableName(schema, 'kpi_period_lock')} l
       where l.active and l.entity_id = $1 and l.month = $2 and (l.department_id is null or l.department_id = $3)
       order by l.department_id nulls last limit 1${unitOf(session) ? ' for share of l' : ''}`,
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
