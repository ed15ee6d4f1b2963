import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition, Workflow } from '../../../descriptor/workflow.ts';
import { BACK, decisionsOf, isDecision, isProductsOwn } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { ROLE_TYPE } from '../../../descriptor/serves_people.ts';
import { relationSql } from './relation_sql.ts';
import type { NamedPeople, Person } from './relations.ts';
import { peopleIn, relationNamed } from './relations.ts';

/** The maximum that is counted. */
const MAX_COUNTED = 1_000;

const excluded = ({ who = [] }: Transition) => who.flatMap((one) => (one.startsWith('!') ? [one.slice(1)] : []));
const wanted = ({ who = [] }: Transition) => who.filter((one) => !one.startsWith('!'));
const isRelation = (screen: Screen, name: string) => relationNamed(screen, name) !== undefined;

/** The accounts of the people who asked for the decision of a transition. */
export function requestersOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: WireRecord,
  transition: Transition,
): Promise<number[]> {
  return accountsOf(session, screens, screen, record, excluded(transition));
}

/** Who asked for the decision in a record's state, and who alone decides; null = everybody with the right. */
export async function peopleOfDecisions(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: WireRecord,
): Promise<{ requesters: number[]; deciders: number[] | null }> {
  const state = String(record[screen.workflow!.field]);
  const decisions = decisionsOf(screen).filter(({ from }) => from.includes(state));
  const requesters = await accountsOf(session, screens, screen, record, decisions.flatMap(excluded));
  // The holders of a role or action are among the holders of the right.
  const anybody = decisions.some((one) => wanted(one).every((name) => !isRelation(screen, name)));
  const deciders = anybody ? null : await accountsOf(session, screens, screen, record, decisions.flatMap(wanted));
  return { requesters, deciders };
}

/** The active accounts of the people in one of the relations. */
export async function accountsOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: WireRecord,
  names: string[],
): Promise<number[]> {
  const people: NamedPeople = { accounts: [], members: [] };
  for (const name of new Set(names)) {
    const { accounts, members } = await peopleIn(session, screens, screen, record, name);
    people.accounts.push(...accounts);
    people.members.push(...members);
  }
  if (people.accounts.length === 0 && people.members.length === 0) return [];
  const { db, schema } = session.tenant;
  const rows = await db.query<{ id: number }>(
    preparedStatement(
      `select id from ${quoted(schema)}.users where active and status = 'active' and (id = any($1::bigint[]) or employee_id = any($2::bigint[])) order by id`,
      [people.accounts, people.members],
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * The same for many records, in order: one statement where the records themselves refer to the people.
 */
export async function accountsOfMany(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  records: readonly WireRecord[],
  names: string[],
): Promise<number[][]> {
  const relations = names.map((name) => relationNamed(screen, name));
  const isDirect = relations.every(
    (one) =>
      one !== undefined && one.path.length === 1 && one.did === undefined && one.when === undefined && !one.above,
  );
  const isRole = relations.some(
    (one) => screen.fields.find(({ name }) => name === one?.path[0])?.ref?.type === ROLE_TYPE,
  );
  if (!isDirect || isRole) {
    const found: number[][] = [];
    for (const record of records) found.push(await accountsOf(session, screens, screen, record, names));
    return found;
  }
  const people: NamedPeople[] = [];
  for (const record of records) {
    const one: NamedPeople = { accounts: [], members: [] };
    for (const name of new Set(names)) {
      const { accounts, members } = await peopleIn(session, screens, screen, record, name);
      one.accounts.push(...accounts);
      one.members.push(...members);
    }
    people.push(one);
  }
  const { db, schema } = session.tenant;
  const rows = await db.query<{ id: number; employee_id: number | null }>(
    preparedStatement(
      `select id, employee_id from ${quoted(schema)}.users where active and status = 'active' and (id = any($1::bigint[]) or employee_id = any($2::bigint[])) order by id`,
      [people.flatMap(({ accounts }) => accounts), people.flatMap(({ members }) => members)],
    ),
  );
  const byMember = Map.groupBy(rows, ({ employee_id: member }) => member);
  const active = new Set(rows.map(({ id }) => id));
  return people.map(({ accounts, members }) => [
    ...new Set([
      ...accounts.filter((id) => active.has(id)),
      ...members.flatMap((member) => (byMember.get(member) ?? []).map(({ id }) => id)),
    ]),
  ]);
}

/** The condition that a person is one of those in `who` of a transition, as SQL on rows of the type as `t`. */
function isOneOf(session: Session, screen: Screen, screens: Map<string, Screen>, values: SqlParams) {
  const { schema } = session.tenant;
  const place = { schema, screens, screen, alias: 't' };
  const isOne = (name: string, person: Person): string => {
    if (name.startsWith('action:'))
      return session.rights.refuseAction(name.slice('action:'.length)) === null ? 'true' : 'false';
    if (name.startsWith('role:'))
      return `exists (select 1 from ${quoted(schema)}.role r where r.active and r.code = ${values.bind(name.slice('role:'.length))} and r.id = any(${values.bind(session.roleIds ?? [])}::bigint[]))`;
    const relation = relationNamed(screen, name);
    return relation ? relationSql(place, relation, person, values) : 'false';
  };
  return (names: string[], person: Person) => names.map((name) => isOne(name, person));
}

/** The condition that a record, `t`, is in a state that awaits a decision by this person; null = no state does. */
export function decidedBy(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  mayDecideOwn: boolean,
  values: SqlParams,
): string | null {
  const decisions = decisionsOf(screen);
  if (decisions.length === 0) return null;
  const any = isOneOf(session, screen, screens, values);
  const people: Person[] = [
    session,
    ...(session.actsFor ?? []).flatMap(({ userId, employeeId }) => (userId === null ? [] : [{ userId, employeeId }])),
  ];
  const theirs = decisions.map((transition) => {
    const parts = [`t.${quoted(screen.workflow!.field)} = any(${values.bind(transition.from)}::text[])`];
    // Conditions of a relation are evaluated on the record: until then it is counted.
    const never = excluded(transition).filter((name) => relationNamed(screen, name)?.when === undefined);
    if (!mayDecideOwn) parts.push(...any(never, session).map((sql) => `not ${sql}`));
    const names = wanted(transition);
    if (names.length > 0) parts.push(`(${people.flatMap((person) => any(names, person)).join(' or ')})`);
    return `(${parts.join(' and ')})`;
  });
  return `(${theirs.join(' or ')})`;
}

/**
 * How many records of a type await this person's decision: visible, in a state that awaits a decision, and theirs to
 * decide.
 */
export async function countWaiting(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  mayDecideOwn: boolean,
): Promise<number> {
  const values = new SqlParams();
  const theirs = decidedBy(session, screen, screens, mayDecideOwn, values);
  if (theirs === null) return 0;
  const where = ['t.active', theirs, ...rowScope(session, screen, screens, 't', values)];
  const [row] = await session.tenant.db.query<{ count: number }>(
    preparedStatement(
      `select count(*)::int as count from (select 1 from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')} limit ${MAX_COUNTED}) x`,
      values.list,
    ),
  );
  return row?.count ?? 0;
}

/** The next transition of a record in a state: the first that people take there without a reason. */
function stepOn({ transitions, states }: Workflow, state: string): Transition | undefined {
  const ends = new Set(states.flatMap(({ name, is }) => (is === 'cancelled' ? [name] : [])));
  return transitions.find(
    (one) =>
      one.from.includes(state) &&
      one.to !== null &&
      one.to !== BACK &&
      !ends.has(one.to) &&
      one.when === undefined &&
      one.reason === undefined &&
      !isProductsOwn(one) &&
      !isDecision(one),
  );
}

/** People in a relation of their own to the record; superiors only stand in for them. */
const namedBy = (screen: Screen, step: Transition) =>
  wanted(step).filter((name) => {
    const relation = relationNamed(screen, name);
    return relation !== undefined && relation.above === undefined;
  });

/**
 * The open states of a type whose next transition is taken by one of the record's own people, each with that
 * transition.
 */
export function stepsOfPeople(screen: Screen): { state: string; step: Transition }[] {
  const { workflow } = screen;
  return (workflow?.states ?? []).flatMap(({ name, is }) => {
    const step = is === 'open' ? stepOn(workflow!, name) : undefined;
    return step && namedBy(screen, step).length > 0 ? [{ state: name, step }] : [];
  });
}

/** The condition that the next transition of a record, `t`, is for this person; null = for no state. */
export function steppedBy(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  values: SqlParams,
): string | null {
  const any = isOneOf(session, screen, screens, values);
  const theirs = stepsOfPeople(screen).map(({ state, step }) => {
    const own = any(namedBy(screen, step), session);
    return `(t.${quoted(screen.workflow!.field)} = ${values.bind(state)} and (${own.join(' or ')}))`;
  });
  return theirs.length === 0 ? null : `(${theirs.join(' or ')})`;
}
