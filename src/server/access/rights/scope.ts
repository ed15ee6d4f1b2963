import { isForOwnerAlone } from '../../../descriptor/owner_alone.ts';
import { branchField } from '../../../descriptor/place.ts';
import { ROLE_TYPE } from '../../../descriptor/serves_people.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import type { ActsFor, DataScope, Session } from '../context.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { SqlParams } from '../../db/sql_text.ts';

/** The type that a session's `employeeId` refers to. */
const PEOPLE = 'employee';
/** The type that a session's `partnerId` refers to. */
const PARTNERS = 'partner';

/** The company for a call on company records. @throws AppError 400 if none is chosen */
export function companyOf(session: Session): number {
  if (session.entityId === null) throw new AppError(400, 'bad_request', 'Choose a company first.');
  return session.entityId;
}

/**
 * The conditions in every statement on a type's rows: the company, and the row scope of the user's role. `alias` is the
 * table's.
 */
export function rowScope(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  alias: string,
  values: SqlParams,
): string[] {
  if (screen.subject) return subjectRows(session, screen, screens, alias, values);
  const conditions = companyScope(session, screen, alias, values);
  const parent = screen.part && screens.get(screen.part.of);
  if (screen.part && parent) {
    const above = `${alias}p`;
    const where = [
      `${above}.id = ${alias}.${quoted(screen.part.by)}`,
      ...rowScope(session, parent, screens, above, values),
    ];
    conditions.push(
      `exists (select 1 from ${tableName(session.tenant.schema, parent.name)} ${above} where ${where.join(' and ')})`,
    );
    return conditions;
  }
  const scope = scopeOf(session, screen);
  const isShared = screen.scopes?.all === true;
  const groups = groupRows(session, screen, screens, alias, values);
  const orOfGroups = (rows: string) => (groups === null ? rows : `(${rows} or ${groups})`);
  if (scope === 'own' && !isShared)
    conditions.push(
      orShared(orOfGroups(ownRows(session, screen, alias, values, screens)), session, screen, screens, alias, values),
    );
  if (scope === 'team' && !isShared)
    conditions.push(
      orShared(orOfGroups(teamRows(session, screen, screens, alias, values)), session, screen, screens, alias, values),
    );
  if (groups !== null && session.rights.groupsOnly && !session.rights.isAdmin) conditions.push(groups);
  if (scope === 'branch') {
    const branch = branchField(screen);
    if (branch) conditions.push(`${alias}.${quoted(branch.name)} = any(${values.bind(session.branchIds)})`);
  }
  conditions.push(...personalRows(session, screen, screens, alias, values));
  conditions.push(...ofPartner(session, screen, alias, values));
  return conditions;
}

/** Rows of a view all of whose subjects the user may see; of several types a row may have some, at least one. */
function subjectRows(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  alias: string,
  values: SqlParams,
): string[] {
  const subjects = Object.entries(screen.subject!);
  const columns = subjects.map(([, field]) => `${alias}.${quoted(field)}`);
  const seen = subjects.map(([type], index) => {
    const of = `${alias}s`;
    const subject = screens.get(type);
    if (!subject) return 'false';
    const where = [`${of}.id = ${columns[index]!}`, ...rowScope(session, subject, screens, of, values)].join(' and ');
    const isSeen = `exists (select 1 from ${tableName(session.tenant.schema, type)} ${of} where ${where})`;
    return subjects.length === 1 ? isSeen : `(${columns[index]!} is null or ${isSeen})`;
  });
  return subjects.length === 1 ? seen : [`num_nonnulls(${columns.join(', ')}) > 0`, ...seen];
}

/**
 * Only the company condition: for reading back what the session has just written. A single company is written as a
 * literal: PostgreSQL reuses the plan of a statement without parameters from the first time on, of others from the
 * sixth.
 */
export function companyScope(session: Session, screen: Screen, alias: string, values: SqlParams): string[] {
  if (screen.scope !== 'entity') return [];
  return session.together || scopeOf(session, screen) === 'all_companies'
    ? [`${alias}.entity_id = any(${values.bind(session.entityIds)})`]
    : [`${alias}.entity_id = ${writtenOut(companyOf(session))}`];
}

/** An id as an SQL literal. */
function writtenOut(id: number): string {
  if (!Number.isSafeInteger(id)) throw new TypeError(`${String(id)} is not an id.`);
  return String(id);
}

/** The session for working on a stored record: with all companies visible, in the record's own. */
export function actingOn(session: Session, stored: Record<string, unknown>): Session {
  return typeof stored.entity_id === 'number' && stored.entity_id !== session.entityId
    ? { ...session, entityId: stored.entity_id }
    : session;
}

/** A record whose branch or partner the person may not see cannot be written either. */
export function scopeErrors(session: Session, screen: Screen, record: Record<string, unknown>): FieldError[] {
  const foreign = session.partnerId
    ? partnerFields(screen).find((field) => record[field.name] !== session.partnerId)
    : undefined;
  if (foreign) return [{ field: foreign.name, message: 'Choose your own partner.' }];
  if (scopeOf(session, screen) !== 'branch') return [];
  const branch = branchField(screen);
  if (!branch || session.branchIds.includes(record[branch.name] as number)) return [];
  return [
    {
      field: branch.name,
      message:
        session.branchIds.length === 0
          ? 'You are not mapped to a branch. Ask your administrator.'
          : `Choose one of your own branches for "${branch.title}".`,
    },
  ];
}

function scopeOf(session: Session, screen: Screen): DataScope {
  return session.rights.isAdmin ? 'company' : session.rights.dataScope(screen);
}

function partnerFields(screen: Screen) {
  return screen.fields.filter((field) => field.type === 'ref' && field.ref!.type === PARTNERS);
}

/** The rows of a type that people of a partner may see and choose; no condition for others. */
export function ofPartner(session: Session, screen: Screen, alias: string, values: SqlParams): string[] {
  return session.partnerId ? partnerRows(session, session.partnerId, screen, alias, values) : [];
}

/** The partner's own rows; for types without a partner the person's own, and all rows of lists without people. */
function partnerRows(session: Session, partnerId: number, screen: Screen, alias: string, values: SqlParams): string[] {
  if (screen.name === PARTNERS) return [`${alias}.id = ${values.bind(partnerId)}`];
  const fields = partnerFields(screen);
  if (fields.length > 0)
    return [`(${fields.map(({ name }) => `${alias}.${quoted(name)} = ${values.bind(partnerId)}`).join(' or ')})`];
  return personFields(screen, accounts(session)).length > 0 ? [ownRows(session, screen, alias, values)] : [];
}

/** The type of the people who sign in. */
function accounts({ tenant }: Session): string {
  return tenant.schema === 'public' ? 'common_user' : 'users';
}

/** Fields of a type that define ownership: the person, as user or employee. */
function personFields(screen: Screen, type: string): string[] {
  return screen.fields
    .filter((field) => field.type === 'ref' && field.ref!.type === type && field.name !== screen.tree?.parent)
    .map((field) => field.name);
}

/** The delegators whose records of a type the person sees; lists of people are never delegated. */
function standsInFor({ actsFor = [] }: Session, { name }: Screen): ActsFor[] {
  return name === PEOPLE || name === 'users'
    ? []
    : actsFor.filter(({ types }) => types === null || types.includes(name));
}

/** The field of a type with another record type: delegations of that type include its records. */
const documentField = ({ fields }: Screen) => fields.find(({ approvedTypes }) => approvedTypes);

/** The delegators for a record of a type whose records concern documents of other types. */
export function actingForIn(session: Session, screen: Screen, record: Readonly<Record<string, unknown>>): ActsFor[] {
  const about = documentField(screen);
  const given = new Set(standsInFor(session, screen));
  return (session.actsFor ?? []).filter(
    (delegator) => given.has(delegator) || (about && delegator.types?.includes(String(record[about.name]))),
  );
}

/** The delegators for a list, each limited to certain document types; null = all. */
function delegatorsOfList(
  session: Session,
  screen: Screen,
  alias: string,
  values: SqlParams,
): { delegator: ActsFor; only: string | null }[] {
  const all = standsInFor(session, screen);
  const about = documentField(screen);
  const some = about
    ? (session.actsFor ?? []).filter((delegator) => delegator.types !== null && !all.includes(delegator))
    : [];
  return [
    ...all.map((delegator) => ({ delegator, only: null })),
    ...some.map((delegator) => ({
      delegator,
      only: `${alias}.${quoted(about!.name)} = any(${values.bind(delegator.types)}::text[])`,
    })),
  ];
}

/** The rows whose fields refer to the person, or to delegators. */
function rowsNaming(session: Session, screen: Screen, names: string[], alias: string, values: SqlParams): string {
  const naming = (person: Session) => names.flatMap((name) => namesMe(person, screen, name, alias, values) ?? []);
  const ways = [
    ...naming(session),
    ...delegatorsOfList(session, screen, alias, values).flatMap(({ delegator: { userId, employeeId }, only }) => {
      const theirs = naming({ ...session, userId: userId ?? 0, employeeId, roleIds: [] });
      return theirs.length === 0 || only === null ? theirs : [`((${theirs.join(' or ')}) and ${only})`];
    }),
  ];
  return ways.length > 0 ? `(${ways.join(' or ')})` : 'false';
}

function ownRows(
  session: Session,
  screen: Screen,
  alias: string,
  values: SqlParams,
  screens?: Map<string, Screen>,
): string {
  if (screen.scopes?.own) return relatedRows(session, screen, alias, values, screens);
  const user = values.bind(session.userId);
  const ways = [
    `${alias}.created_by = ${user}`,
    ...personFields(screen, accounts(session)).map((name) => `${alias}.${quoted(name)} = ${user}`),
  ];
  const ofEmployee = (id: number) => {
    const names = [...personFields(screen, PEOPLE), ...(screen.name === PEOPLE ? ['id'] : [])];
    // An unused parameter would be an error.
    if (names.length === 0) return;
    const employee = values.bind(id);
    ways.push(...names.map((name) => `${alias}.${quoted(name)} = ${employee}`));
  };
  if (session.employeeId !== null) ofEmployee(session.employeeId);
  for (const { employeeId, userId } of standsInFor(session, screen)) {
    if (userId !== null)
      ways.push(
        `${alias}.created_by = ${values.bind(userId)}`,
        ...personFields(screen, accounts(session)).map((name) => `${alias}.${quoted(name)} = ${values.bind(userId)}`),
      );
    ofEmployee(employeeId);
  }
  return `(${ways.join(' or ')})`;
}

/** Rows to which a person is in one of the relations that define ownership; for a deputy also through delegators. */
function relatedRows(
  session: Session,
  screen: Screen,
  alias: string,
  values: SqlParams,
  screens?: Map<string, Screen>,
): string {
  const paths = screen.scopes!.own!.map((name) => screen.relations![name]!.path);
  const names = paths.flatMap(([name, ...more]) => (more.length === 0 ? name! : []));
  // Relations of a record that this one refers to: the contents of a kit belong to its holder.
  const through = paths.flatMap(([by = '', name]) => {
    const of = screens?.get(screen.fields.find((field) => field.name === by)?.ref?.type ?? '');
    if (name === undefined || !of) return [];
    const above = `${alias}x`;
    const rows = rowsNaming(session, of, [name], above, values);
    const table = tableName(session.tenant.schema, of.name);
    return `${alias}.${quoted(by)} in (select ${above}.id from ${table} ${above} where ${rows})`;
  });
  return `(${[...(names.length > 0 ? [rowsNaming(session, screen, names, alias, values)] : []), ...through].join(' or ') || 'false'})`;
}

/** Rows of the groups that the person, or a delegator, leads; null = the type has no groups, or they do not matter here. */
function groupRows(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  alias: string,
  values: SqlParams,
): string | null {
  const { group } = screen.scopes ?? {};
  if (!group) return null;
  const scope = scopeOf(session, screen);
  // An unused parameter would be an error.
  if (scope !== 'own' && scope !== 'team' && (!session.rights.groupsOnly || session.rights.isAdmin)) return null;
  const [type = '', list = ''] = group.in.split('.');
  const groups = screens.get(type);
  const [by = '', of] = group.by.split('.');
  if (!groups) return 'false';
  const { schema } = session.tenant;
  const one = `${alias}g`;
  const leads = rowsNaming(session, groups, group.people, one, values);
  const listed = `(select unnest(${one}.${quoted(list)}) from ${tableName(schema, type)} ${one} where ${one}.active and ${leads})`;
  if (of === undefined) return `${alias}.${quoted(by)} in ${listed}`;
  const through = screen.fields.find(({ name }) => name === by)!.ref!.type;
  const above = `${alias}x`;
  return `${alias}.${quoted(by)} in (select ${above}.id from ${tableName(schema, through)} ${above} where ${above}.${quoted(of)} in ${listed})`;
}

/** The condition that a field, or the author of the record, is the session's person; null = impossible. */
function namesMe(session: Session, screen: Screen, name: string, alias: string, values: SqlParams): string | null {
  const field = screen.fields.find((one) => one.name === name);
  if (name !== 'created_by' && !field?.ref) return null;
  if (field?.ref?.type === ROLE_TYPE) return namesMyRole(session, field, alias, values);
  const me = field?.ref?.type === PEOPLE ? session.employeeId : session.userId;
  if (me === null) return null;
  // Not "= any(…)": only this comparison uses the index of the references.
  return field?.type === 'refs'
    ? `${alias}.${quoted(name)} @> array[${values.bind(me)}::bigint]`
    : `${alias}.${quoted(name)} = ${values.bind(me)}`;
}

/** The condition that a field refers to a role of the person. */
function namesMyRole({ roleIds = [] }: Session, field: Field, alias: string, values: SqlParams): string | null {
  if (roleIds.length === 0) return null;
  const column = `${alias}.${quoted(field.name)}`;
  return field.type === 'refs'
    ? `${column} && ${values.bind(roleIds)}::bigint[]`
    : `${column} = any(${values.bind(roleIds)}::bigint[])`;
}

/**
 * One's own rows of a list (`mine=1`): by the fields in the descriptor, otherwise by author or reference. `names`: only
 * by these fields.
 */
export function mineRows(
  session: Session,
  screen: Screen,
  alias: string,
  values: SqlParams,
  names: readonly string[] | undefined = screen.mine,
): string {
  return names ? rowsNaming(session, screen, [...names], alias, values) : ownRows(session, screen, alias, values);
}

/** Rows that only their owner or some people may see are left out for all others, including administrators. */
export function personalRows(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  alias: string,
  values: SqlParams,
): string[] {
  const { personal } = screen;
  if (!personal || session.rights.isElevated) return [];
  const rules = [
    ...(isForOwnerAlone(screen) ? [{ people: [personal.owner], when: personal.when ?? {}, but: [] }] : []),
    ...(personal.shared ?? []).flatMap(({ with: others, when, action, not = [] }) => {
      const may = action !== undefined && session.rights.refuseAction(action) === null;
      const but = may ? not.flatMap((name) => namesMe(session, screen, name, alias, values) ?? []) : [];
      return may && but.length === 0 ? [] : [{ people: [personal.owner, ...others], when, but }];
    }),
  ];
  return rules.map(({ people, when, but }) => {
    const others = Object.entries(when).map(
      ([name, value]) => `${alias}.${quoted(name)} is distinct from ${values.bind(value)}`,
    );
    const ways = [
      ...others,
      ...people.flatMap((name) => pathToMe(session, screen, screens, name, alias, values) ?? []),
      ...(but.length > 0 ? [`(${but.join(' or ')}) is not true`] : []),
    ];
    return `(${ways.join(' or ') || 'false'})`;
  });
}

/** The condition that a field, of the record or of one that it refers to, names the person; null = impossible. */
function pathToMe(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  path: string,
  alias: string,
  values: SqlParams,
): string | null {
  const [by = '', name] = path.split('.');
  if (name === undefined) return namesMe(session, screen, by, alias, values);
  const of = screens.get(screen.fields.find((field) => field.name === by)?.ref?.type ?? '');
  const above = `${alias}x`;
  const names = of ? namesMe(session, of, name, above, values) : null;
  return names === null
    ? null
    : `${alias}.${quoted(by)} in (select ${above}.id from ${tableName(session.tenant.schema, of!.name)} ${above} where ${names})`;
}

/** In addition to one's own or team's rows, those shared with the person by name. */
function orShared(
  rows: string,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  alias: string,
  values: SqlParams,
): string {
  const ways = (screen.personal?.shared ?? []).flatMap(({ with: people, when }) => {
    const mine = people.flatMap((name) => pathToMe(session, screen, screens, name, alias, values) ?? []);
    if (mine.length === 0) return [];
    const fits = Object.entries(when).map(([name, value]) => `${alias}.${quoted(name)} = ${values.bind(value)}`);
    return [`(${[...fits, `(${mine.join(' or ')})`].join(' and ')})`];
  });
  return ways.length === 0 ? rows : `(${[rows, ...ways].join(' or ')})`;
}

/**
 * The person and all direct and indirect subordinates, through the closure table of a type that has one; also as one of
 * several people, where such records are people's own.
 */
function teamRows(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  alias: string,
  values: SqlParams,
): string {
  const people = screens.get(PEOPLE);
  if (!people?.tree?.closure || session.employeeId === null) return ownRows(session, screen, alias, values, screens);
  const names = screen.name === people.name ? ['id'] : personFields(screen, people.name);
  const several = (screen.scopes?.own ?? [])
    .flatMap((name) => screen.relations?.[name]?.path ?? [])
    .filter((name) =>
      screen.fields.some((field) => field.name === name && field.type === 'refs' && field.ref?.type === PEOPLE),
    );
  if (names.length + several.length === 0) return ownRows(session, screen, alias, values, screens);
  const heads = [session.employeeId, ...standsInFor(session, screen).map(({ employeeId }) => employeeId)];
  const team = `(select descendant_id from ${treeTable(session.tenant.schema, people.name)} where ancestor_id = any(${values.bind(heads)}::bigint[]))`;
  const ways = [
    ownRows(session, screen, alias, values, screens),
    ...names.map((name) => `${alias}.${quoted(name)} in ${team}`),
    ...several.map((name) => `${alias}.${quoted(name)} && array${team}`),
  ];
  return `(${ways.join(' or ')})`;
}
