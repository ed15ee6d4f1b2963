import { atRecord, zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Decision } from '../records/record_change.ts';
import { peopleOfDecisions } from '../workflow/waiting.ts';
import { runsToday } from '../../access/people/delegations.ts';

/**
 * The people who decide a record: holders of the page right who can see the record (limited to `among` if the type
 * names people; of a type that everybody sees of their team, all of these), and their current deputies. If there are none: administrators, so that no request goes unnoticed.
 */
async function approvers(
  on: Queryable,
  session: Session,
  screen: Screen,
  record: WireRecord,
  among: number[] | null,
  not: number[],
): Promise<number[]> {
  const { tenant, entityId } = session;
  const s = quoted(tenant.schema);
  // Lists that nobody has opened yet have no tables.
  const [has] = await on.query<{ team: boolean; delegation: boolean }>(
    'select to_regclass($1) is not null as team, to_regclass($2) is not null as delegation',
    [`${s}.employee_tree`, `${s}.delegation`],
  );
  const inTeam = has?.team
    ? `exists (select 1 from ${s}.employee_tree t join ${s}.users a on a.employee_id = t.descendant_id where t.ancestor_id = u.employee_id and a.id = any($4::bigint[]))`
    : 'false';
  const delegated = has?.delegation
    ? `${s}.delegation d on d.from_employee_id = h.employee_id and ${runsToday('$5')} and ($1::bigint is null or d.entity_id = $1)
         and (d.scope = 'all' or $6 = any(d.transaction_types))`
    : `(select null::bigint as to_employee_id where $5::text is null and $6::text is null) d on true`;
  const rows = await on.query<{ id: number }>(
    `with holders as (
       select distinct u.id, u.employee_id from ${s}.users u join ${s}.users__companies c on c.parent_id = u.id and ($1::bigint is null or c.entity_id = $1)
         join ${s}.role r on r.id = any(c.role_ids) and r.active join ${s}.screen_rights x on x.role_id = r.id and x.approval_screen and x.screen_code = any($2::text[])
         left join ${s}.module_rights m on m.id = x.modules_rights_id and m.role_id = x.role_id
       where u.active and u.status = 'active' and ($7::bigint[] is null or u.id = any($7)) and coalesce(m.active and not m.hide_all, true) and (x.data_scope in ('company', 'all_companies')
         or x.data_scope = 'branch' and ($3::bigint is null or $3 = c.branch_id or $3 = any(c.branch_ids))
         or x.data_scope = 'team' and ${inTeam})
       union
       select u.id, u.employee_id from ${s}.users u where $8 and u.active and u.status = 'active' and u.id = any($7)
       ), deputies as (
       select t.id from holders h join ${delegated} join ${s}.users t on t.employee_id = d.to_employee_id and t.active and t.status = 'active'
       )
     select id from holders where id <> all($4::bigint[]) union select id from deputies where id <> all($4::bigint[]) order by id`,
    [
      screen.scope === 'entity' ? entityId : null,
      screen.access.screens,
      typeof record.branch_id === 'number' ? record.branch_id : null,
      not,
      zoneOf({ entityId }, placeOf(session).zones),
      screen.name,
      among,
      screen.access.team === true,
    ],
  );
  if (rows.length > 0) return rows.map(({ id }) => id);
  const admins = await on.query<{ id: number }>(
    `select id from ${s}.users where is_admin and active and status = 'active' and id <> all($1::bigint[]) order by id`,
    [not],
  );
  return admins.map(({ id }) => id);
}

const words = (session: Session, screen: Screen, record: WireRecord): Record<string, string> =>
  atRecord(record, () => wordsHere(session, screen, record));

function wordsHere(session: Session, screen: Screen, record: WireRecord): Record<string, string> {
  const field = (name: string) => screen.fields.find((one) => one.name === name)!;
  const label = screen.label.flatMap((name) =>
    record[name] === null || record[name] === undefined ? [] : [formatValue(field(name), record[name], record)],
  );
  return {
    list: screen.plural,
    record: label.join(' · ') || `${screen.title} ${record.id}`,
    state: formatValue(field(screen.workflow!.field), record[screen.workflow!.field], record),
    actor: session.userName,
  };
}

const linkOf = ({ routes }: Screen, id: number) =>
  (routes.view ?? routes.edit ?? routes.landing).replace(':id', String(id));

/** Notifies the people who may decide a record that it is waiting for them. */
export async function notifyApprovers(
  notifications: Notifications,
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: WireRecord,
): Promise<void> {
  const { tenant, userId } = session;
  const { requesters, deciders } = await peopleOfDecisions(session, screens, screen, record);
  await tenant.db.transaction(async (tx) => {
    const to = await approvers(tx, session, screen, record, deciders, [...new Set([...requesters, userId])]);
    await notifications.notify(tx, tenant, {
      event: 'approval.assigned',
      to,
      entityId: session.entityId,
      values: words(session, screen, record),
      link: linkOf(screen, record.id),
      record: { type: screen.name, id: record.id },
      groupKey: `approval ${screen.name}`,
    });
  });
}

/** Notifies the people who asked for a record of the decision. */
export async function notifyRequesters(
  notifications: Notifications,
  session: Session,
  screen: Screen,
  record: WireRecord,
  decision: Decision,
): Promise<void> {
  const { tenant, userId } = session;
  await tenant.db.transaction((tx) =>
    notifications.notify(tx, tenant, {
      event: 'approval.decided',
      to: decision.requesters.filter((id) => id !== userId),
      entityId: session.entityId,
      link: linkOf(screen, record.id),
      record: { type: screen.name, id: record.id },
      values: {
        ...words(session, screen, record),
        for: decision.for === null ? '' : ` for ${decision.for}`,
        list: inSentence(screen.title).replace(/^./, (first) => first.toUpperCase()),
      },
    }),
  );
}
