import { leaveOn } from '../../../domain/leave.ts';
import { zoneOf } from '../../../descriptor/place.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../context.ts';
import type { LiveSession } from '../sessions/session_store.ts';
import { leaveBetween } from './leave.ts';
import { PEOPLE } from './people.ts';

type Row = Record<string, unknown>;
type Client = Pick<Tenant, 'db' | 'schema'>;

/** The company of a person's record; null = it is inactive. */
export async function companyOfPerson({ db, schema }: Client, id: number): Promise<number | null> {
  const [row] = await db.query<{ entity_id: number }>(
    `select entity_id from ${tableName(schema, PEOPLE)} where id = $1 and active`,
    [id],
  );
  return row?.entity_id ?? null;
}

/**
 * The person and all subordinates, the nearest first, up to a maximum; a person with a deputy or on leave today is
 * away.
 */
export async function teamOf(session: Session, max: number): Promise<(Row & { id: number; depth: number })[]> {
  const { schema, db } = session.tenant;
  const s = quoted(schema);
  const [delegated] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${s}.delegation`,
  ]);
  const deputy = delegated?.there
    ? (
        what: string,
      ) => `(select ${what} from ${s}.delegation a join ${s}.employee p on p.id = a.to_employee_id where a.active and a.from_employee_id = e.id and coalesce(a.state, 'active') not in ('expired', 'revoked')
         and (now() at time zone $4)::date between a.from_date and a.to_date order by a.to_date desc, a.id limit 1)`
    : () => `(select null::text where $4::text is null)`;
  const zone = zoneOf({ entityId: session.entityId }, placeOf(session).zones);
  const people = await db.query<Row & { id: number; depth: number }>(
    `select e.id, e.empno, e.name, e.photo, e.status, e.mobile, e.work_email, e.date_of_joining, t.depth, e.reporting_to_id as manager_id, m.name as manager, e.last_working_day,
       ${deputy('p.name')} as deputy, ${deputy('a.to_date::text')} as away_until,
       d.name as designation, p.name as department, b.name as branch, case when e.entity_id is distinct from $3 then c.name end as company
     from ${treeTable(schema, PEOPLE)} t join ${s}.employee e on e.id = t.descendant_id
     left join ${s}.employee m on m.id = e.reporting_to_id left join ${s}.designation d on d.id = e.designation_id
     left join ${s}.department p on p.id = e.department_id left join ${s}.branch b on b.id = e.branch_id left join ${s}.entity c on c.id = e.entity_id
     where t.ancestor_id = $1 and (t.depth = 0 or (e.active and e.status <> 'left' and e.entity_id = any($2)))
     order by t.depth, lower(e.name), e.id limit ${max}`,
    [session.employeeId, session.entityIds, session.entityId, zone],
  );
  const today = dayIn(zone);
  const leaves = await leaveBetween(
    session.tenant,
    today,
    today,
    people.map(({ id }) => id),
  );
  return people.map((person) => ({ ...person, on_leave_until: leaveOn(leaves, person.id, today)?.until ?? null }));
}

/** The person's own account with the names of roles and companies. */
export async function ownAccount({ tenant, userId, roleIds }: LiveSession): Promise<Row | null> {
  const s = quoted(tenant.schema);
  const [user] = await tenant.db.query<Row>(
    `select u.username, u.name, u.email, u.language,
       array(select r.role_name from ${s}.role r where r.id = any($2) and r.active order by lower(r.role_name)) as roles,
       array(select e.name from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id and e.active where c.parent_id = u.id order by c.is_default desc nulls last, e.name) as companies
     from ${s}.users u where u.id = $1`,
    [userId, roleIds],
  );
  return user ?? null;
}

/** Whether the person has uploaded a file for this field. */
export async function sentForOwn({ tenant, userId }: Session, fileId: number, field: string): Promise<boolean> {
  const rows = await tenant.db.query(
    `select 1 from ${quoted(tenant.schema)}.file where id = $1 and by = $2 and for_field = $3`,
    [fileId, userId, field],
  );
  return rows.length > 0;
}

/** The names from a person down to a subordinate; empty if the other is not one. */
export async function namesDown({ db, schema }: Client, from: number, to: number): Promise<string[]> {
  const tree = treeTable(schema, PEOPLE);
  const rows = await db.query<{ name: string }>(
    `select e.name from ${tree} own join ${tree} line on line.descendant_id = own.descendant_id and line.depth <= own.depth
     join ${tableName(schema, PEOPLE)} e on e.id = line.ancestor_id where own.ancestor_id = $1 and own.descendant_id = $2 order by line.depth desc`,
    [from, to],
  );
  return rows.map(({ name }) => name);
}
