import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { Notice, Notifications } from '../../services/notifications/notify.ts';

type Teller = [notifications: Notifications, tx: Queryable, session: Session];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const pageOf = ({ id }: WireRecord): string => `/employee/view/${id}`;

/**
 * Accounts of members, of the holders of a predefined role, and of administrators, in the member's company; except the
 * acting person.
 */
async function accounts(
  tx: Queryable,
  { tenant, userId }: Session,
  company: unknown,
  { members = [], roles = [], admins = false }: { members?: unknown[]; roles?: string[]; admins?: boolean },
): Promise<number[]> {
  const s = quoted(tenant.schema);
  const rows = await tx.query<{ id: number }>({
    text: `select u.id from ${s}.users u where u.active and u.status = 'active' and u.id <> $5 and (u.employee_id = any($1::bigint[])
      or ((($2::boolean and u.is_admin) or cardinality($3::text[]) > 0) and exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and c.entity_id = $4
        and (($2::boolean and u.is_admin) or exists (select 1 from ${s}.role r where r.id = any(c.role_ids) and r.template_code = any($3::text[])))))) order by u.id`,
    values: [members.filter((id) => typeof id === 'number'), admins, roles, company, userId],
  });
  return rows.map(({ id }) => id);
}

/** A person joined or returned: notifies the manager, and the people who create accounts. */
export async function notifyJoined(
  ...[notifications, tx, session, person, from]: [...Teller, WireRecord, string]
): Promise<void> {
  await notifications.notify(tx, session.tenant, await joinedNotice(tx, session, person, from));
}

/** Notifies the manager of a new employee, and the people who create accounts. */
export async function joinedNotice(tx: Queryable, session: Session, person: WireRecord, from: string): Promise<Notice> {
  return {
    event: 'employee.joined',
    to: await accounts(tx, session, person.entity_id, { members: [person.reporting_to_id], admins: true }),
    entityId: person.entity_id as number,
    link: pageOf(person),
    record: { type: 'employee', id: person.id },
    values: {
      employee: text(person.name),
      empno: text(person.empno),
      designation: text(person.designation_id__label),
      branch: text(person.branch_id__label),
      date: dayFirst(from),
    },
  };
}

/** A person is leaving: sent once, when it is known. */
export async function notifyLeaving(
  ...[notifications, tx, session, person, last]: [...Teller, WireRecord, string]
): Promise<void> {
  await notifications.notify(tx, session.tenant, {
    event: 'employee.left',
    to: await accounts(tx, session, person.entity_id, {
      members: [person.reporting_to_id],
      roles: ['HR'],
      admins: true,
    }),
    entityId: person.entity_id as number,
    link: pageOf(person),
    record: { type: 'employee', id: person.id },
    values: {
      employee: text(person.name),
      empno: text(person.empno),
      designation: text(person.designation_id__label),
      date: dayFirst(last),
    },
  });
}

/** A new manager: the person, both managers and HR. */
export async function notifyNewManager(
  ...[notifications, tx, session, { before, now }, { effective_from: from, remark }]: [
    ...Teller,
    { before: WireRecord; now: WireRecord },
    { effective_from: string; remark?: unknown },
  ]
): Promise<void> {
  await notifications.notify(tx, session.tenant, {
    event: 'employee.manager_changed',
    to: await accounts(tx, session, now.entity_id, {
      members: [now.id, before.reporting_to_id, now.reporting_to_id],
      roles: ['HR'],
    }),
    entityId: now.entity_id as number,
    link: pageOf(now),
    record: { type: 'employee', id: now.id },
    values: {
      employee: text(now.name),
      manager: text(now.reporting_to_id__label) || 'nobody',
      date: dayFirst(from),
      reason: text(remark),
    },
  });
}

/** Departments whose head left without a successor: the administrators must choose one. */
export async function notifyWithoutHead(
  ...[notifications, tx, session, person, departments]: [...Teller, WireRecord, { id: number; name: string }[]]
): Promise<void> {
  await notifications.notify(tx, session.tenant, {
    event: 'department.without_head',
    to: await accounts(tx, session, person.entity_id, { admins: true }),
    entityId: person.entity_id as number,
    link: `/department/edit/${departments[0]!.id}`,
    record: { type: 'department', id: departments[0]!.id },
    values: { departments: departments.map(({ name }) => name).join(', '), employee: text(person.name) },
  });
}
