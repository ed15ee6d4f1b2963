import { DateTime } from 'luxon';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../context.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../records/hooks.ts';
import { clientSettings } from '../../sessions/client_settings.ts';

type Delegation = Record<string, unknown>;

/**
 * People hand over what is theirs. For others it is done by whoever keeps the lists, and by an
 * administrator alone for themselves: nobody takes rights that nobody gave them.
 */
function mayHandOver(session: Session, { from_employee_id: from, to_employee_id: to }: Delegation): string | null {
  if (session.rights.isAdmin || (session.employeeId !== null && from === session.employeeId)) return null;
  if (session.rights.refuseAction('CREATE_MASTERS') !== null) return 'You can hand over what is yours alone. Ask the person, or your administrator.';
  return session.employeeId !== null && to === session.employeeId ? 'Nobody makes themselves a deputy. Ask the person, or your administrator.' : null;
}

const touches = (a: unknown, b: unknown): boolean => !Array.isArray(a) || !Array.isArray(b) || a.some((type) => b.includes(type));

export default defineHooks({
  async check(session, record, stored) {
    const { tenant, entityId } = session;
    const refused = (stored && mayHandOver(session, stored)) ?? mayHandOver(session, record);
    if (refused !== null) return [{ field: 'from_employee_id', message: refused }];
    if (stored && (stored.state === 'expired' || stored.state === 'revoked')) return [{ field: 'state', message: 'This delegation has ended. Make a new one.' }];
    const { from_date: from, to_date: to } = record;
    if (typeof from !== 'string' || typeof to !== 'string') return [];
    const { delegation_max_days: most } = await clientSettings(tenant, entityId);
    const days = DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days;
    if (days > most) return [{ field: 'to_date', message: `A delegation may last ${most} days at most. Choose an earlier last day.` }];
    const others = await tenant.db.query<{ number: string; back: boolean; types: string[] | null }>(
      `select coalesce(number, '') as number, from_employee_id = $2 as back, case when scope = 'types' then transaction_types end as types from ${quoted(tenant.schema)}.delegation
       where active and state in ('draft', 'active') and id is distinct from $5 and daterange(from_date, to_date, '[]') && daterange($3::date, $4::date, '[]')
         and (from_employee_id = $1 or (from_employee_id = $2 and to_employee_id = $1))`,
      [record.from_employee_id, record.to_employee_id, from, to, stored?.id ?? null]);
    const types = record.scope === 'types' ? record.transaction_types : null;
    const circle = others.find(({ back }) => back);
    if (circle) return [{ field: 'to_employee_id', message: `The deputy is away in these days (${circle.number}). Choose somebody else.` }];
    const same = others.find((other) => touches(other.types, types));
    return same ? [{ field: 'from_date', message: `${same.number} hands over the same in these days. Choose other days, or end it first.` }] : [];
  },
  leave: (session, stored: WireRecord, how) => (how === 'deactivate' && session.employeeId !== null && stored.to_employee_id === session.employeeId ? null : mayHandOver(session, stored)),
});
