import { DateTime } from 'luxon';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { didYouMean } from '../../../descriptor/source.ts';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { accountBeyondOwnRights } from '../../access/rights/elevation.ts';

type Delegation = Record<string, unknown>;

/**
 * People delegate their own authority. Only people who manage the lists delegate for others, and only an administrator
 * from somebody else to themselves, because nobody may take rights that were not given.
 */
async function mayHandOver(
  session: Session,
  { from_employee_id: from, to_employee_id: to }: Delegation,
  screens: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  if (session.rights.isAdmin || (session.employeeId !== null && from === session.employeeId)) return null;
  if (session.rights.refuseAction('CREATE_MASTERS') !== null)
    return 'You can delegate only your own work. Ask the person, or your administrator.';
  if (session.employeeId !== null && to === session.employeeId)
    return 'You cannot make yourself a deputy. Ask the person, or your administrator.';
  const accounts = await session.tenant.db.query<{ id: number }>(
    `select id from ${quoted(session.tenant.schema)}.users where employee_id = $1 and active and status = 'active'`,
    [from],
  );
  for (const { id } of accounts)
    if ((await accountBeyondOwnRights(session, id, screens)) !== null)
      return 'This person has more rights than you, so you cannot delegate them. Ask the person, or your administrator.';
  return null;
}

/** Lists that do not exist, with a suggestion. */
function unknownLists(types: unknown, screens: ReadonlyMap<string, Screen>): string | null {
  const lists = [...screens.values()].filter(({ scope, kind }) => scope !== 'platform' && kind !== 'settings');
  for (const type of Array.isArray(types) ? types.map(String) : []) {
    if (lists.some(({ name }) => name === type)) continue;
    const meant = lists.find(({ title, plural }) =>
      [title, plural].some((word) => word.toLowerCase() === type.toLowerCase()),
    );
    return `There is no list "${type}". ${
      meant
        ? `Write ${meant.name} for ${inSentence(meant.plural)}.`
        : didYouMean(
            type,
            lists.map(({ name }) => name),
          )
    }`;
  }
  return null;
}

const touches = (a: unknown, b: unknown): boolean =>
  !Array.isArray(a) || !Array.isArray(b) || a.some((type) => b.includes(type));

async function findings(
  session: Session,
  record: Delegation,
  stored: WireRecord | null,
  screens: ReadonlyMap<string, Screen>,
): Promise<FieldError[]> {
  const { tenant, entityId } = session;
  // The transitions decide who may end it.
  if (record.state === 'expired' || record.state === 'revoked') return [];
  const refused =
    (stored && (await mayHandOver(session, stored, screens))) ?? (await mayHandOver(session, record, screens));
  if (refused !== null) return [{ field: 'from_employee_id', message: refused }];
  const unknown = record.scope === 'types' ? unknownLists(record.transaction_types, screens) : null;
  if (unknown !== null) return [{ field: 'transaction_types', message: unknown }];
  const left = await tenant.db.query<{ id: number; name: string }>(
    `select id, name from ${quoted(tenant.schema)}.employee where id = any($1::bigint[]) and (not active or status = 'left') order by id`,
    [[record.from_employee_id, record.to_employee_id]],
  );
  if (left[0])
    return [
      {
        field: left[0].id === record.to_employee_id ? 'to_employee_id' : 'from_employee_id',
        message: `${left[0].name} has left. Choose somebody else.`,
      },
    ];
  const { from_date: from, to_date: to } = record;
  // The type's own rule refuses dates in the wrong order.
  if (typeof from !== 'string' || typeof to !== 'string' || to < from) return [];
  const { delegation_max_days: max } = await clientSettings(tenant, entityId);
  const days = DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days;
  if (days > max)
    return [{ field: 'to_date', message: `A delegation may last ${max} days at most. Choose an earlier last day.` }];
  const others = await tenant.db.query<{ number: string; back: boolean; types: string[] | null }>(
    `select coalesce(number, '') as number, from_employee_id = $2 as back, case when scope = 'types' then transaction_types end as types from ${quoted(tenant.schema)}.delegation
     where active and state in ('draft', 'active') and id is distinct from $5 and daterange(from_date, to_date, '[]') && daterange($3::date, $4::date, '[]')
       and (from_employee_id = $1 or (from_employee_id = $2 and to_employee_id = $1))`,
    [record.from_employee_id, record.to_employee_id, from, to, stored?.id ?? null],
  );
  const types = record.scope === 'types' ? record.transaction_types : null;
  const circle = others.find(({ back }) => back);
  if (circle)
    return [
      {
        field: 'to_employee_id',
        message: `The deputy is away on these days (${circle.number}). Choose somebody else.`,
      },
    ];
  const same = others.find((other) => touches(other.types, types));
  return same
    ? [
        {
          field: 'from_date',
          message: `${same.number} delegates the same on these days. Choose other days, or end it first.`,
        },
      ]
    : [];
}

export default defineHooks({
  check: findings,
  async leave(session, stored: WireRecord, how, screens) {
    if (how === 'deactivate' && session.employeeId !== null && stored.to_employee_id === session.employeeId)
      return null;
    // A restored delegation is checked like a new one.
    if (how === 'activate') return (await findings(session, stored, stored, screens))[0]?.message ?? null;
    return mayHandOver(session, stored, screens);
  },
});
