import { dayIn } from '../../../descriptor/place.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { WorkingSpan } from '../../access/people/working_hours.ts';
import { afterWorkingTime } from '../../access/people/working_hours.ts';
import { childTable, tableName } from '../../db/names.ts';
import type { RecipientLine } from '../../platform/escalation/recipients.ts';
import { recipientsOf } from '../../platform/escalation/recipients.ts';
import { fillWords } from '../../platform/escalation/words.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Level } from './approval_route.ts';

/** A band of a level's slab, and the time at which the level reaches it. */
export interface Band {
  at: Date;
  level: number;
  action: 'notify' | 'assign_manager' | null;
  /** The message of Mail configuration to send. */
  esclation_id: number | null;
}

type Basis = 'pct_of_target' | 'business_minutes' | 'calendar_days' | 'working_days';
type Stored = Omit<Band, 'at'> & { basis: Basis; calendar_id: number | null; after: string };

const DAY_MS = 86_400_000;
export const MESSAGES = 'esclation';
export const LOG = 'escalation_log';

/** The bands that a waiting level will reach, earliest first; none without an active slab. */
export async function bandsOf(session: Session, level: Level, branchId: number | null, since: Date): Promise<Band[]> {
  if (level.slab_id === null) return [];
  const { tenant, entityId } = session;
  const rows = await tenant.db.query<Stored>(
    `select s.basis, s.calendar_id, b.from_value::text as after, b.level, b.action, b.esclation_id
     from ${tableName(tenant.schema, 'slab')} s join ${childTable(tenant.schema, 'slab', 'bands')} b on b.parent_id = s.id
     where s.id = $1 and s.active and b.from_value > 0 and s.valid_from <= $2::date and coalesce(s.valid_to >= $2::date, true) order by b.from_value`,
    [level.slab_id, dayIn(placeOf(session).timezone, since.getTime())],
  );
  const [slab] = rows;
  if (!slab) return [];
  const moments = await afterWorkingTime(
    tenant,
    { entityId, branchId },
    since,
    rows.map((row) => spanOf(row, level)),
    slab.calendar_id,
  );
  return rows.flatMap(({ basis, after, ...band }, at) => {
    const moment = basis === 'calendar_days' ? new Date(since.getTime() + Number(after) * DAY_MS) : moments[at];
    return moment ? [{ at: moment, level: band.level, action: band.action, esclation_id: band.esclation_id }] : [];
  });
}

/** The working time until a band; null if it counts calendar days, or has no target. */
function spanOf({ basis, after }: Stored, { time_limit: limit, time_unit: unit }: Level): WorkingSpan | null {
  const count = Number(after);
  switch (basis) {
    case 'business_minutes':
      return { count, unit: 'minutes' };
    case 'working_days':
      return { count: Math.ceil(count), unit: 'days' };
    case 'calendar_days':
      return null;
    case 'pct_of_target':
      if (limit === null) return null;
      return unit === 'days'
        ? { count: Math.ceil((limit * count) / 100), unit: 'days' }
        : { count: (limit * 60 * count) / 100, unit: 'minutes' };
  }
}

/**
 * Sends the message of Mail configuration that a band names, with the placeholders of the request.
 * @returns its recipients
 */
export async function sendMessage(
  notifications: Notifications,
  session: Session,
  request: WireRecord,
  band: Band,
  words: Record<string, string>,
): Promise<string[]> {
  const { tenant, entityId } = session;
  const { db, schema } = tenant;
  const [rule] = await db.query<{ subject: string; body: string; channels: string[]; lines: RecipientLine[] }>(
    `select r.subject, r.body, r.channels, coalesce((select json_agg(json_build_object('kind', l.kind, 'role_id', l.role_id, 'employee_id', l.employee_id, 'mail', l.mail) order by l.copy desc, l.position)
       from ${childTable(schema, MESSAGES, 'recipients')} l where l.parent_id = r.id), '[]') as lines
     from ${tableName(schema, MESSAGES)} r where r.id = $1 and r.active`,
    [band.esclation_id],
  );
  if (!rule) return [];
  const members = await db.query<{ id: number; employee: number }>(
    `select id, employee_id as employee from ${tableName(schema, 'users')} where id = any($1::bigint[]) and employee_id is not null order by id`,
    [[...((request.waiting_for_ids as number[] | null) ?? []), request.asked_by_id]],
  );
  const requester = members.find(({ id }) => id === request.asked_by_id)?.employee ?? null;
  const waiting = members.filter(({ id }) => id !== request.asked_by_id).map(({ employee }) => employee);
  const link = `/approval/view/${request.id}`;
  const values = { subject: fillWords(rule.subject, words), text: fillWords(rule.body, words) };
  const channels = {
    inApp: rule.channels.includes('in_app'),
    mail: rule.channels.includes('mail'),
    push: rule.channels.includes('push'),
  };
  const users = new Set<number>();
  const addresses = new Set<string>();
  const names = new Set<string>();
  for (const approver of waiting)
    for (const { userId, email, name } of await recipientsOf(
      tenant,
      rule.lines,
      { assignee: approver, approver, requester },
      entityId,
    )) {
      names.add(name);
      if (userId === null) addresses.add(email);
      else users.add(userId);
    }
  await notifications.notify(db, tenant, { event: 'escalation', to: [...users], values, channels, link });
  for (const address of channels.mail ? addresses : [])
    await notifications.write(db, tenant, {
      event: 'escalation',
      address,
      values,
      dedupeKey: `approval/${request.id}/${band.at.getTime()}/${address}`,
    });
  return [...names];
}

/** Adds a reached band to the log of sent messages, in the sending transaction: once, with all its recipients. */
export async function logBand(
  session: Session,
  request: WireRecord,
  type: string,
  band: Band,
  place: number,
  to: { users: readonly number[]; names: readonly string[] },
): Promise<void> {
  const { db, schema } = session.tenant;
  const { timezone } = placeOf(session);
  await db.query(
    `insert into ${tableName(schema, LOG)} (esclation_id, level, record_type, record_id, row_id, record, due_on, sent_at, delay_days, recipients)
     select $1, $2, $3, $4, $5, $6, $7::date, now(), greatest(0, (now() at time zone $8)::date - $7::date),
       left(array_to_string(array(select distinct n from unnest(array(select name from ${tableName(schema, 'users')} where id = any($9::bigint[])) || $10::text[]) n order by n), ', '), 250)
     on conflict do nothing`,
    [
      band.esclation_id,
      band.level,
      type,
      request.id,
      place,
      String(request.subject).slice(0, 250),
      dayIn(timezone, band.at.getTime()),
      timezone,
      to.users,
      to.names,
    ],
  );
}
