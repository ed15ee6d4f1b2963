import { leaveBetween } from '../../access/people/leave.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import type { Unit } from '../../engine/records/unit.ts';

export interface Place {
  scope_type: 'entity' | 'branch' | 'department' | 'unit' | 'employee';
  scope_id: number;
  branch_id: number | null;
  department_id: number | null;
  unit_id: number | null;
  employee_id: number | null;
  name: string;
}

interface Member {
  id: number;
  name: string;
  branch_id: number | null;
  department_id: number | null;
  designation_id: number | null;
  reporting_to_id: number | null;
}

/** The people and places of a company, loaded once for all checklists of a run. */
export interface Directory {
  members: Map<number, Member>;
  branches: { id: number; name: string; head_id: number | null }[];
  departments: { id: number; name: string; head_id: number | null }[];
  units: { id: number; name: string; branch_id: number | null; responsible_id: number | null }[];
  /** Members by role. */
  roles: Map<number, number[]>;
  /** The people named in fields of records: by type, record and field. */
  named: Map<string, number>;
  /** People who are on leave or have delegated their work, with the days. */
  away: { employee_id: number; from: string; to: string }[];
}

/** Reads the members, branches, departments, registrations and roles of the company. */
export async function readDirectory(unit: Unit): Promise<Directory> {
  const company = unit.session.entityId;
  const today = dayOfRecord(unit, {});
  const members = await unit.query<Member>(
    `select id, name, branch_id, department_id, designation_id, reporting_to_id from {employee} where entity_id = $1 and active and status <> 'left' order by id`,
    [company],
  );
  const branches = await unit.query<Directory['branches'][number]>(
    `select id, name, head_id from {branch} where entity_id = $1 and active and (closed_on is null or closed_on > $2::date) order by id`,
    [company, today],
  );
  const departments = await unit.query<Directory['departments'][number]>(
    'select id, name, head_id from {department} where entity_id = $1 and active order by id',
    [company],
  );
  const units = await unit.query<Directory['units'][number]>(
    'select id, name, branch_ids[1] as branch_id, responsible_id from {compliance_unit} where entity_id = $1 and active order by id',
    [company],
  );
  const roles = await unit.query<{ role_id: number; employee_id: number }>(
    `select distinct r.role_id, e.id as employee_id from {users.companies} c cross join unnest(c.role_ids) r(role_id)
     join {users} u on u.id = c.parent_id and u.active and u.status = 'active' join {employee} e on e.user_id = u.id and e.active and e.status <> 'left'
     where c.entity_id = $1 order by 1, 2`,
    [company],
  );
  const delegated = await unit.query<Directory['away'][number]>(
    `select from_employee_id as employee_id, from_date::text as "from", coalesce(to_date, 'infinity')::text as "to" from {delegation}
     where entity_id = $1 and active and state in ('draft', 'active') and to_date >= $2::date`,
    [company, today],
  );
  const leaves = await leaveBetween(unit.session.tenant, today, 'infinity');
  return {
    members: new Map(members.map((one) => [one.id, one])),
    branches,
    departments,
    units,
    roles: new Map(
      [...Map.groupBy(roles, (one) => one.role_id)].map(([role, rows]) => [role, rows.map((r) => r.employee_id)]),
    ),
    away: [...delegated, ...leaves.filter(({ part }) => part === 'day')],
    named: new Map(),
  };
}

/** The types whose fields may name the doer of a task. */
export type NamingType = 'branch' | 'department' | 'compliance_unit' | 'employee';

export const nameKey = (type: NamingType | null, id: number | null, field: string | null): string =>
  `${type} ${id} ${field}`;

/** Adds the people whom the rules of checklists find in fields of branches, departments, registrations and members. */
export async function readNamedPeople(
  unit: Unit,
  { named }: Directory,
  checklists: readonly {
    tasks: readonly {
      assign: readonly { assign_by: string; field_of: NamingType | null; person_field: string | null }[];
    }[];
  }[],
): Promise<void> {
  const rules = checklists
    .flatMap(({ tasks }) => tasks.flatMap(({ assign }) => assign))
    .filter(({ assign_by: by }) => by === 'field');
  const wanted = new Map(rules.map((rule) => [`${rule.field_of} ${rule.person_field}`, rule]));
  for (const { field_of: type, person_field: field } of wanted.values()) {
    const rows = await unit.query<{ id: number; person: string }>(
      `select id, to_jsonb(t) ->> $2 as person from {${type!}} t where entity_id = $1 and active and to_jsonb(t) ->> $2 is not null`,
      [unit.session.entityId, field],
    );
    for (const { id, person } of rows) named.set(nameKey(type, id, field), Number(person));
  }
}

/** The places at which a checklist runs separately. */
export function placesOf(
  checklist: {
    expand_by: Place['scope_type'];
    branch_ids: number[] | null;
    department_ids: number[] | null;
    unit_ids: number[] | null;
  },
  company: number,
  { branches, departments, units, members }: Directory,
): Place[] {
  const chosen = (ids: number[] | null, id: number | null) =>
    ids === null || ids.length === 0 || (id !== null && ids.includes(id));
  const none = { branch_id: null, department_id: null, unit_id: null, employee_id: null };
  switch (checklist.expand_by) {
    case 'branch':
      return branches
        .filter(({ id }) => chosen(checklist.branch_ids, id))
        .map(({ id, name }) => ({ ...none, scope_type: 'branch', scope_id: id, branch_id: id, name }));
    case 'department':
      return departments
        .filter(({ id }) => chosen(checklist.department_ids, id))
        .map(({ id, name }) => ({ ...none, scope_type: 'department', scope_id: id, department_id: id, name }));
    case 'unit':
      return units
        .filter(({ id }) => chosen(checklist.unit_ids, id))
        .map(({ id, name, branch_id: branch }) => ({
          ...none,
          scope_type: 'unit',
          scope_id: id,
          unit_id: id,
          branch_id: branch,
          name,
        }));
    case 'employee':
      return [...members.values()]
        .filter(
          (one) => chosen(checklist.branch_ids, one.branch_id) && chosen(checklist.department_ids, one.department_id),
        )
        .map(({ id, branch_id: branch, department_id: department }) => ({
          ...none,
          scope_type: 'employee',
          scope_id: id,
          employee_id: id,
          branch_id: branch,
          department_id: department,
          name: `person ${id}`,
        }));
    default:
      return [{ ...none, scope_type: 'entity', scope_id: company, name: 'the company' }];
  }
}
