import { nameKey } from './checklist_directory.ts';
import { leastBusy, nextInRound } from '../../../domain/act/task_dates.ts';
import type { Directory, NamingType, Place } from './checklist_directory.ts';

/** A line of "Who does it" of a task. */
export interface AssignRule {
  branch_id: number | null;
  department_id: number | null;
  assign_by:
    | 'employee'
    | 'designation'
    | 'role'
    | 'reporting_manager'
    | 'branch_head'
    | 'department_head'
    | 'owner'
    | 'field';
  /** Of which record of the place, and its reference to a person. */
  field_of: NamingType | null;
  person_field: string | null;
  employee_id: number | null;
  designation_id: number | null;
  role_id: number | null;
  mode: 'any_one' | 'everyone' | 'round_robin' | 'least_open' | null;
}

/** Open and last tasks of people, for tasks assigned in turn or by least load. */
export interface Workload {
  /** The last doer of a task at a place, by task and place. */
  last: Map<string, number>;
  open: Map<number, number>;
  /** The day of the last task of a person. */
  lastOn: Map<number, string>;
}

export interface Doers {
  /** One task each. */
  assignees: number[];
  candidates: number[];
  /** Nobody was found: the owner is responsible. */
  unassigned: boolean;
}

/** The most specific line for a place: branch and department, then branch, then department, then the general one. */
export function ruleFor(rules: readonly AssignRule[], place: Place): AssignRule | null {
  const fits = rules.filter(
    (one) =>
      (one.branch_id === null || one.branch_id === place.branch_id) &&
      (one.department_id === null || one.department_id === place.department_id),
  );
  const rank = (one: AssignRule) => (one.branch_id === null ? 0 : 2) + (one.department_id === null ? 0 : 1);
  return fits.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}

/**
 * If a task names nobody: the head of the place, the person responsible for the registration, the person itself, or the
 * owner.
 */
function usual(place: Place, owner: number, directory: Directory): number | null {
  if (place.scope_type === 'branch') return directory.branches.find(({ id }) => id === place.scope_id)?.head_id ?? null;
  if (place.scope_type === 'department')
    return directory.departments.find(({ id }) => id === place.scope_id)?.head_id ?? null;
  if (place.scope_type === 'unit')
    return directory.units.find(({ id }) => id === place.scope_id)?.responsible_id ?? owner;
  return place.scope_type === 'employee' ? place.employee_id : owner;
}

/** The record of a place whose field names the person. */
function recordOf(type: NamingType | null, place: Place): number | null {
  if (type === 'employee') return place.employee_id;
  if (type === 'department') return place.department_id;
  return type === 'compliance_unit' ? place.unit_id : place.branch_id;
}

/** The members that a rule matches at a place, before one of several is chosen. */
function meant(rule: AssignRule | null, place: Place, owner: number, directory: Directory): number[] {
  const { members, branches, departments, roles } = directory;
  const one = (id: number | null | undefined) => (id && members.has(id) ? [id] : []);
  if (rule === null) return one(usual(place, owner, directory));
  const here = (id: number) => {
    const member = members.get(id);
    return (
      member !== undefined &&
      (place.scope_type === 'entity' ||
        place.scope_type === 'unit' ||
        ((place.branch_id === null || member.branch_id === place.branch_id) &&
          (place.department_id === null || member.department_id === place.department_id)))
    );
  };
  switch (rule.assign_by) {
    case 'employee':
      return one(rule.employee_id);
    case 'owner':
      return one(owner);
    case 'reporting_manager':
      return one(members.get(place.employee_id ?? owner)?.reporting_to_id);
    case 'branch_head':
      return one(branches.find(({ id }) => id === place.branch_id)?.head_id ?? usual(place, owner, directory));
    case 'department_head':
      return one(departments.find(({ id }) => id === place.department_id)?.head_id ?? usual(place, owner, directory));
    case 'designation':
      return [...members.values()]
        .filter((m) => m.designation_id === rule.designation_id && here(m.id))
        .map(({ id }) => id);
    case 'field':
      return one(directory.named.get(nameKey(rule.field_of, recordOf(rule.field_of, place), rule.person_field)));
    case 'role':
      return (roles.get(rule.role_id ?? 0) ?? []).filter(here);
  }
}

/**
 * The person for a task of a place that opens on a day (§5.1). People who are on leave or have delegated
 * their work are skipped if others are available.
 */
export function doersOf(
  task: { id: number; assign: readonly AssignRule[] },
  place: Place,
  owner: number,
  opensOn: string,
  directory: Directory,
  load: Workload,
): Doers {
  const rule = ruleFor(task.assign, place);
  const all = meant(rule, place, owner, directory);
  const present = all.filter(
    (id) => !directory.away.some((one) => one.employee_id === id && one.from <= opensOn && opensOn <= one.to),
  );
  const people = present.length > 0 ? present : all;
  const [first] = people;
  if (first === undefined) return { assignees: [owner], candidates: [], unassigned: true };
  if (people.length === 1) return { assignees: people, candidates: [], unassigned: false };
  if (rule?.mode === 'everyone') return { assignees: people, candidates: [], unassigned: false };
  if (rule?.mode === 'round_robin') {
    const key = `${task.id} ${place.scope_type} ${place.scope_id}`;
    const next = nextInRound(people, load.last.get(key) ?? null)!;
    load.last.set(key, next);
    return { assignees: [next], candidates: [], unassigned: false };
  }
  if (rule?.mode === 'least_open') {
    const next = leastBusy(
      people.map((id) => ({ id, open: load.open.get(id) ?? 0, last_on: load.lastOn.get(id) ?? null })),
    )!;
    load.open.set(next, (load.open.get(next) ?? 0) + 1);
    load.lastOn.set(next, opensOn);
    return { assignees: [next], candidates: [], unassigned: false };
  }
  return { assignees: [first], candidates: people.filter((id) => id !== first), unassigned: false };
}

/** Who approves a person's work: nobody approves their own work, it goes to their manager or the owner. */
export function approverOf(
  { approval, approver_id: named }: { approval: string | null; approver_id: number | null },
  doer: number,
  owner: number,
  { members }: Directory,
): number | null {
  const manager = members.get(doer)?.reporting_to_id ?? null;
  const asked =
    approval === 'owner' ? owner : approval === 'manager' ? (manager ?? owner) : approval === 'person' ? named : null;
  if (asked === null || asked !== doer) return asked;
  const next = manager ?? owner;
  return next === doer ? null : next;
}
