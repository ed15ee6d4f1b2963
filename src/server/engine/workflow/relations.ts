import type { Relation } from '../../../descriptor/workflow.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { ROLE_TYPE } from '../../../descriptor/serves_people.ts';
import { holds } from './values.ts';

type Row = Readonly<Record<string, unknown>>;

/** A person as records refer to them: by account, or as a member of staff. */
export interface Person {
  userId: number;
  employeeId: number | null;
  /** Their roles in the current company. */
  roleIds?: number[];
}

/** The maximum number of management levels in a company. */
export const MAX_LEVELS = 1_000;

/** The person who created the record, if a descriptor does not define who asked. */
const REQUESTER: Relation = { name: 'requester', path: ['created_by'] };

/** Used by every list with a condition on its reader. */
const memberTypes = new WeakMap<ReadonlyMap<string, Screen>, Screen | null>();

/** The type of the members of staff. */
export function memberType(screens: ReadonlyMap<string, Screen>): Screen | undefined {
  let member = memberTypes.get(screens);
  if (member === undefined) {
    member = [...screens.values()].find(({ serves }) => typeof serves === 'object' && 'member' in serves) ?? null;
    memberTypes.set(screens, member);
  }
  return member ?? undefined;
}

/** Whether a person is in a relation to a stored record. */
export async function isRelated(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
  name: string,
  person: Person,
): Promise<boolean> {
  const relation = relationNamed(screen, name);
  if (!relation) return false;
  if (relation.when !== undefined && !(await holds({ session, screen, screens, record }, relation.when))) return false;
  if (relation.did !== undefined) return (await takenLastBy(session, screen, record, relation.did)) === person.userId;
  const named = await namedBy(session, screens, screen, record, relation.path);
  if (named.isRole) return named.ids.some((role) => person.roleIds?.includes(role) === true);
  if (relation.above === undefined)
    return named.isMember ? named.ids.includes(person.employeeId ?? -1) : named.ids.includes(person.userId);
  return named.isMember && person.employeeId !== null
    ? isAbove(session, screens, person.employeeId, named.ids, relation.above.levels)
    : false;
}

/** The people in a relation, as accounts and as members of staff. */
export interface NamedPeople {
  accounts: number[];
  members: number[];
}

/** The people in a relation to a stored record; roles and actions do not refer to particular people. */
export async function peopleIn(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
  name: string,
): Promise<NamedPeople> {
  const relation = relationNamed(screen, name);
  const nobody: NamedPeople = { accounts: [], members: [] };
  if (!relation) return nobody;
  if (relation.when !== undefined && !(await holds({ session, screen, screens, record }, relation.when))) return nobody;
  if (relation.did !== undefined) {
    const by = await takenLastBy(session, screen, record, relation.did);
    return { accounts: by === null ? [] : [by], members: [] };
  }
  const { ids, isMember, isRole } = await namedBy(session, screens, screen, record, relation.path);
  if (isRole) return { accounts: await holdersOf(session, ids, record.entity_id ?? session.entityId), members: [] };
  if (relation.above === undefined) return isMember ? { accounts: [], members: ids } : { accounts: ids, members: [] };
  return isMember ? { accounts: [], members: await thoseAbove(session, screens, ids, relation.above.levels) } : nobody;
}

/** A relation of a type by name, including those that every type has. */
export function relationNamed({ relations = {} }: Screen, name: string): Relation | undefined {
  if (name.startsWith('did:')) return { name, path: [], did: name.slice('did:'.length) };
  return relations[name] ?? (name === REQUESTER.name ? REQUESTER : undefined);
}

/** The account that last took a transition of the record. */
async function takenLastBy(
  { tenant }: Session,
  { name }: Screen,
  { id }: Row,
  transition: string,
): Promise<number | null> {
  const [row] = await tenant.db.query<{ by: number | null }>(
    preparedStatement(
      `select by from ${quoted(tenant.schema)}.transition_log where record_type = $1 and record_id = $2 and transition = $3 order by id desc limit 1`,
      [name, id, transition],
    ),
  );
  return row?.by ?? null;
}

/** The accounts that hold one of the roles in a company. */
async function holdersOf({ tenant }: Session, roles: number[], company: unknown): Promise<number[]> {
  if (roles.length === 0) return [];
  const rows = await tenant.db.query<{ id: number }>(
    preparedStatement(
      `select distinct parent_id as id from ${quoted(tenant.schema)}.users__companies where role_ids && $1::bigint[] and ($2::bigint is null or entity_id = $2) order by 1`,
      [roles, company ?? null],
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * The people at the end of a path of references, and whether they are members of staff, holders of roles, or accounts.
 */
async function namedBy(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
  path: string[],
): Promise<{ ids: number[]; isMember: boolean; isRole: boolean }> {
  const member = memberType(screens);
  let at: Screen | undefined = screen;
  let ids: number[] = [];
  let type: string | undefined;
  for (const [step, name] of path.entries()) {
    const stamp = name === 'created_by' || name === 'updated_by';
    const field: Field | undefined = at?.fields.find((one) => one.name === name);
    if (step === 0) ids = listed(record[name]);
    else if (at && ids.length > 0) {
      const rows = await session.tenant.db.query<{ value: unknown }>(
        preparedStatement(
          `select ${quoted(name)} as value from ${tableName(session.tenant.schema, at.name)} where id = any($1::bigint[])`,
          [ids],
        ),
      );
      ids = rows.flatMap(({ value }) => listed(value));
    }
    type = stamp ? undefined : field?.ref?.type;
    at = type === undefined ? undefined : screens.get(type);
  }
  return { ids, isMember: member !== undefined && type === member.name, isRole: type === ROLE_TYPE };
}

const listed = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : typeof value === 'number' ? [value] : [];

async function isAbove(
  { tenant }: Session,
  screens: ReadonlyMap<string, Screen>,
  person: number,
  below: number[],
  levels: number | null,
): Promise<boolean> {
  const member = memberType(screens);
  if (!member?.tree?.closure || below.length === 0) return false;
  const rows = await tenant.db.query(
    preparedStatement(
      `select 1 from ${treeTable(tenant.schema, member.name)} where ancestor_id = $1 and descendant_id = any($2::bigint[]) and depth between 1 and $3 limit 1`,
      [person, below, levels ?? MAX_LEVELS],
    ),
  );
  return rows.length > 0;
}

/** The superiors of members of staff, up to this number of levels, the nearest first. */
async function thoseAbove(
  { tenant }: Session,
  screens: ReadonlyMap<string, Screen>,
  below: number[],
  levels: number | null,
): Promise<number[]> {
  const member = memberType(screens);
  if (!member?.tree?.closure || below.length === 0) return [];
  const rows = await tenant.db.query<{ id: number }>(
    preparedStatement(
      `select ancestor_id as id from ${treeTable(tenant.schema, member.name)} where descendant_id = any($1::bigint[]) and depth between 1 and $2
       group by ancestor_id order by min(depth), ancestor_id`,
      [below, levels ?? MAX_LEVELS],
    ),
  );
  return rows.map(({ id }) => id);
}
