import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { chainWaiting } from '../../services/audit/audit.ts';
import { placeOf } from '../../services/clock/client_day.ts';

/** The filters of the trail or the sign-in log. */
export interface Asked {
  from?: string;
  to?: string;
  user?: string;
  action?: string;
  type?: string;
  outcome?: string;
  before?: string;
}

interface Filter {
  where: string;
  values: unknown[];
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Conditions on time and person, on the table with the alias `a`. */
function filterOf(
  asked: Asked,
  timezone: string,
  columns: { user: string; exact: Record<string, string>; key: string },
): Filter {
  const values: unknown[] = [timezone];
  const where = ['true'];
  const bind = (value: unknown) => `$${values.push(value)}`;
  for (const [name, sign] of [
    ['from', '>='],
    ['to', '<'],
  ] as const) {
    const day = asked[name];
    if (day === undefined || day === '') continue;
    if (!DAY.test(day))
      throw new AppError(400, 'bad_request', `${name} must be a day such as 2026-04-01.`, { field: name });
    where.push(`a.at ${sign} ((${bind(day)}::date + ${name === 'to' ? 1 : 0})::timestamp at time zone $1)`);
  }
  for (const [name, column] of Object.entries({ user: columns.user, before: columns.key })) {
    const id = asked[name as 'user'];
    if (id === undefined || id === '') continue;
    if (!/^\d{1,15}$/.test(id)) throw new AppError(400, 'bad_request', `${name} must be a number.`, { field: name });
    where.push(`${column} ${name === 'before' ? '<' : '='} ${bind(Number(id))}`);
  }
  for (const [name, column] of Object.entries(columns.exact)) {
    const value = asked[name as 'action'];
    if (value) where.push(`${column} = ${bind(value)}`);
  }
  return { where: where.join(' and '), values };
}

/** Entries of the audit trail, the newest first. @throws AppError 400 */
export async function trail(session: Session, asked: Asked, limit: number): Promise<Record<string, unknown>[]> {
  const { tenant } = session;
  const { where, values } = filterOf(asked, placeOf(session).timezone, {
    user: 'a.actor_user_id',
    exact: { action: 'a.action', type: 'a.target_type' },
    key: 'a.seq',
  });
  await chainWaiting(tenant);
  const s = quoted(tenant.schema);
  return tenant.db.query(
    `select a.seq, a.at, a.actor_user_id, u.name as actor, i.name as acting_for, a.action, a.target_type, a.target_id, a.summary, a.diff, a.ip, a.user_agent, a.hash
     from ${s}.audit_log a left join ${peopleTable(tenant.schema)} u on u.id = a.actor_user_id left join ${peopleTable(tenant.schema)} i on i.id = a.impersonator_id
     where $1::text is not null and ${where} order by a.seq desc limit ${limit}`,
    values,
  );
}

/** Attempts to sign in, the newest first. @throws AppError 400 */
export async function signIns(session: Session, asked: Asked, limit: number): Promise<Record<string, unknown>[]> {
  const { tenant } = session;
  const { where, values } = filterOf(asked, placeOf(session).timezone, {
    user: 'a.user_id',
    exact: { outcome: 'a.outcome' },
    key: 'a.id',
  });
  return tenant.db.query(
    `select a.id, a.at, a.user_id, u.name as user, a.outcome, a.ip, a.network, a.user_agent, a.device_known
     from ${quoted(tenant.schema)}.login_attempt a left join ${peopleTable(tenant.schema)} u on u.id = a.user_id
     where $1::text is not null and ${where} order by a.id desc limit ${limit}`,
    values,
  );
}

/** Sign-in attempts per day in the last thirty days, by result. */
export function signInsByDay(session: Session): Promise<object[]> {
  const { tenant } = session;
  return tenant.db.query<object>(
    `select (at at time zone $1)::date::text as day, outcome, count(*)::int as count from ${quoted(tenant.schema)}.login_attempt where at > now() - interval '30 days' group by 1, 2 order by 1, 2`,
    [placeOf(session).timezone],
  );
}

/** The actions in the trail, for the filter. */
export async function auditedActions(tenant: Tenant): Promise<string[]> {
  await chainWaiting(tenant);
  const rows = await tenant.db.query<{ action: string }>(
    `select distinct action from ${quoted(tenant.schema)}.audit_log order by action limit 500`,
  );
  return rows.map(({ action }) => action);
}
