import { branchField } from '../../../descriptor/place.ts';
import { ROLE_TYPE } from '../../../descriptor/serves_people.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import type { ActsFor, DataScope, Session } from '../context.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { SqlParams } from '../../db/sql_text.ts';

/** The type that a session's `employeeId` is of. */
const PEOPLE = 'employee';
/** The type that a session's `partnerId` is of. */
const PARTNERS = 'partner';

/** The company that a call on company records works in. @throws AppError 400 when none is chosen */
export function companyOf(session: Session): number {
  if (session.entityId === null) throw new AppError(400, 'bad_request', 'Choose a company first.');
  return session.entityId;
}

/**
 * The conditions that every statement on a type's rows carries: the company, and the rows that the
 * user's role lets them see. `alias` is the table's.
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
  if (scope === 'own')
    conditions.push(orShared(ownRows(session, screen, alias, values, screens), session, screen, alias, values));
  if (scope === 'team')
    conditions.push(orShared(teamRows(session, screen, screens, alias, values), session, screen, alias, values));
  if (scope === 'branch') {
    const branch = branchField(screen);
    if (branch) conditions.push(`${alias}.${quoted(branch.name)} = any(${values.bind(session.branchIds)})`);
  }
  conditions.push(...personalRows(session, screen, alias, values));
  conditions.push(...ofPartner(session, screen, alias, values));
  return conditions;
}

/** Rows of a view of whose subjects the user sees all. */
function subjectRows(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  alias: string,
  values: SqlParams,
): string[] {
  return Object.entries(screen.subject!).map(([type, field]) => {
    const of = `${alias}s`;
    const subject = screens.get(type);
    if (!subject) return 'false';
    const column = `${alias}.${quoted(field)}`;
    const where = [`${of}.id = ${column}`, ...rowScope(session, subject, screens, of, values)].join(' and ');
    return `exists (select 1 from ${tableName(session.tenant.schema, type)} ${of} where ${where})`;
  });
}

/**
 * The condition of the company alone: for reading back what the session has just written. One company is written out: of
 * a statement without values PostgreSQL keeps its plan from the first time on, of others from the sixth.
 */
export function companyScope(session: Session, screen: Screen, alias: string, values: SqlParams): string[] {
  if (screen.scope !== 'entity') return [];
  return scopeOf(session, screen) === 'all_companies'
    ? [`${alias}.entity_id = any(${values.bind(session.entityIds)})`]
    : [`${alias}.entity_id = ${writtenOut(companyOf(session))}`];
}

/** An id as it may stand in a statement. */
function writtenOut(id: number): string {
  if (!Number.isSafeInteger(id)) throw new TypeError(`${String(id)} is not an id.`);
  return String(id);
}

/** The session as it acts on a stored record: with all companies in sight, in the record's own. */
export function actingOn(session: Session, stored: Record<string, unknown>): Session {
  return typeof stored.entity_id === 'number' && stored.entity_id !== session.entityId
    ? { ...session, entityId: stored.entity_id }
    : session;
}

/** A record of a branch or a partner that the person may not see cannot be written either. */
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

/** What people of a partner may see of a type, and choose from it; for everybody else no condition. */
export function ofPartner(session: Session, screen: Screen, alias: string, values: SqlParams): string[] {
  return session.partnerId ? partnerRows(session, session.partnerId, screen, alias, values) : [];
}

/** The partner's own rows; of types without a partner the person's own, and all of lists that name nobody. */
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

/** Fields of a type that say whose record it is: the person, by user or by employee. */
function personFields(screen: Screen, type: string): string[] {
  return screen.fields
    .filter((field) => field.type === 'ref' && field.ref!.type === type && field.name !== screen.tree?.parent)
    .map((field) => field.name);
}

/** Whose records of a type the person sees as their deputy; lists of people are not among what is handed over. */
function standsInFor({ actsFor = [] }: Session, { name }: Screen): ActsFor[] {
  return name === PEOPLE || name === 'users'
    ? []
    : actsFor.filter(({ types }) => types === null || types.includes(name));
}

/** The field of a type that says of which other type a record is: what is handed over of that type goes with it. */
const documentField = ({ fields }: Screen) => fields.find(({ approvedTypes }) => approvedTypes);

/** For whom the person acts on a record of a type whose records are about documents of other types. */
export function actingForIn(session: Session, screen: Screen, record: Readonly<Record<string, unknown>>): ActsFor[] {
  const about = documentField(screen);
  const given = new Set(standsInFor(session, screen));
  return (session.actsFor ?? []).filter(
    (delegator) => given.has(delegator) || (about && delegator.types?.includes(String(record[about.name]))),
  );
}

/** Those for whom the person acts in a list, each with the documents that alone are meant; null = all. */
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

/** The rows that fields name the person in, or those for whom they act. */
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
    // A value that no condition names would be one too many.
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

/** Rows to which somebody stands in one of the relations that make them their own; a deputy too, for whom they act for. */
function relatedRows(
  session: Session,
  screen: Screen,
  alias: string,
  values: SqlParams,
  screens?: Map<string, Screen>,
): string {
  const paths = screen.scopes!.own!.map((name) => screen.relations![name]!.path);
  const names = paths.flatMap(([name, ...more]) => (more.length === 0 ? name! : []));
  // Those of a record that this one refers to: what is in a kit is its holder's.
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

/** The condition that a field, or who made the record, names the session's person; null = it cannot. */
function namesMe(session: Session, screen: Screen, name: string, alias: string, values: SqlParams): string | null {
  const field = screen.fields.find((one) => one.name === name);
  if (name !== 'created_by' && !field?.ref) return null;
  if (field?.ref?.type === ROLE_TYPE) return namesMyRole(session, field, alias, values);
  const me = field?.ref?.type === PEOPLE ? session.employeeId : session.userId;
  if (me === null) return null;
  return field?.type === 'refs'
    ? `${values.bind(me)} = any(${alias}.${quoted(name)})`
    : `${alias}.${quoted(name)} = ${values.bind(me)}`;
}

/** The condition that a field names a role that the person holds. */
function namesMyRole({ roleIds = [] }: Session, field: Field, alias: string, values: SqlParams): string | null {
  if (roleIds.length === 0) return null;
  const column = `${alias}.${quoted(field.name)}`;
  return field.type === 'refs'
    ? `${column} && ${values.bind(roleIds)}::bigint[]`
    : `${column} = any(${values.bind(roleIds)}::bigint[])`;
}

/**
 * One's own rows of a list (`mine=1`): by the fields that the descriptor names, else by whoever made them or is named in
 * them. `names`: by these fields alone.
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

/** Rows that their owner alone sees are left out for all others, administrators among them. */
export function personalRows(session: Session, screen: Screen, alias: string, values: SqlParams): string[] {
  const { personal } = screen;
  if (!personal) return [];
  const rules = [
    { people: [personal.owner], when: personal.when ?? {} },
    ...(personal.shared ? [{ people: [personal.owner, ...personal.shared.with], when: personal.shared.when }] : []),
  ];
  return rules.map(({ people, when }) => {
    const others = Object.entries(when).map(
      ([name, value]) => `${alias}.${quoted(name)} is distinct from ${values.bind(value)}`,
    );
    return `(${[...others, ...people.flatMap((name) => namesMe(session, screen, name, alias, values) ?? [])].join(' or ') || 'false'})`;
  });
}

/** Beside rows of one's own, or of one's team, those that were shared with oneself by name. */
function orShared(rows: string, session: Session, screen: Screen, alias: string, values: SqlParams): string {
  const { shared } = screen.personal ?? {};
  const mine = (shared?.with ?? []).flatMap((name) => namesMe(session, screen, name, alias, values) ?? []);
  if (!shared || mine.length === 0) return rows;
  const when = Object.entries(shared.when).map(([name, value]) => `${alias}.${quoted(name)} = ${values.bind(value)}`);
  return `(${rows} or (${[...when, `(${mine.join(' or ')})`].join(' and ')}))`;
}

/** Me and all direct and indirect subordinates, by the closure table of the type that keeps one. */
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
  if (names.length === 0) return ownRows(session, screen, alias, values, screens);
  const heads = [session.employeeId, ...standsInFor(session, screen).map(({ employeeId }) => employeeId)];
  const team = `(select descendant_id from ${treeTable(session.tenant.schema, people.name)} where ancestor_id = any(${values.bind(heads)}::bigint[]))`;
  const ways = [
    ownRows(session, screen, alias, values, screens),
    ...names.map((name) => `${alias}.${quoted(name)} in ${team}`),
  ];
  return `(${ways.join(' or ')})`;
}
