import type { Relation } from '../../../descriptor/workflow.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../context.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { named } from '../../records/sql_text.ts';
import { holds } from './values.ts';

type Row = Readonly<Record<string, unknown>>;

/** Somebody as records name them: by account, or as the member of staff that they are. */
export interface Person {
  userId: number;
  employeeId: number | null;
}

/** Whoever made the record, where a descriptor does not say who asked. */
const REQUESTER: Relation = { name: 'requester', path: ['created_by'] };

/** The type that an account is of, and that of the members of staff. */
function typesOfPeople(screens: ReadonlyMap<string, Screen>): {
  account: string | undefined;
  member: Screen | undefined;
} {
  let account: string | undefined;
  let member: Screen | undefined;
  for (const screen of screens.values()) {
    if (screen.serves === 'account') account = screen.name;
    if (typeof screen.serves === 'object' && 'member' in screen.serves) member = screen;
  }
  return { account, member };
}

/** Whether a person stands in a relation to a stored record. */
export async function isRelated(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
  name: string,
  person: Person,
): Promise<boolean> {
  const relation = name === REQUESTER.name ? (screen.relations?.[name] ?? REQUESTER) : screen.relations?.[name];
  if (!relation) return name.startsWith('did:') && (await tookLast(session, screen, record, name.slice(4), person));
  if (relation.when !== undefined && !(await holds({ session, screen, screens, record }, relation.when))) return false;
  if (relation.did !== undefined) return tookLast(session, screen, record, relation.did, person);
  const named = await namedBy(session, screens, screen, record, relation.path);
  if (relation.above === undefined)
    return named.isMember ? named.ids.includes(person.employeeId ?? -1) : named.ids.includes(person.userId);
  return named.isMember && person.employeeId !== null
    ? isAbove(session, screens, person.employeeId, named.ids, relation.above.levels)
    : false;
}

/** Who took a transition of the record last. */
async function tookLast(
  { tenant }: Session,
  { name }: Screen,
  { id }: Row,
  transition: string,
  { userId }: Person,
): Promise<boolean> {
  const [row] = await tenant.db.query<{ by: number | null }>(
    named(
      `select by from ${quoted(tenant.schema)}.transition_log where record_type = $1 and record_id = $2 and transition = $3 order by id desc limit 1`,
      [name, id, transition],
    ),
  );
  return row?.by === userId;
}

/** The people that a path of references leads to, and whether they are members of staff or accounts. */
async function namedBy(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: Row,
  path: string[],
): Promise<{ ids: number[]; isMember: boolean }> {
  const { member } = typesOfPeople(screens);
  let at: Screen | undefined = screen;
  let ids: number[] = [];
  let type: string | undefined;
  for (const [step, name] of path.entries()) {
    const stamp = name === 'created_by' || name === 'updated_by';
    const field: Field | undefined = at?.fields.find((one) => one.name === name);
    if (step === 0) ids = listed(record[name]);
    else if (at && ids.length > 0) {
      const rows = await session.tenant.db.query<{ value: unknown }>(
        named(
          `select ${quoted(name)} as value from ${tableName(session.tenant.schema, at.name)} where id = any($1::bigint[])`,
          [ids],
        ),
      );
      ids = rows.flatMap(({ value }) => listed(value));
    }
    type = stamp ? undefined : field?.ref?.type;
    at = type === undefined ? undefined : screens.get(type);
  }
  return { ids, isMember: member !== undefined && type === member.name };
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
  const { member } = typesOfPeople(screens);
  if (!member?.tree?.closure || below.length === 0) return false;
  const rows = await tenant.db.query(
    named(
      `select 1 from ${treeTable(tenant.schema, member.name)} where ancestor_id = $1 and descendant_id = any($2::bigint[]) and depth between 1 and $3 limit 1`,
      [person, below, levels ?? 1_000],
    ),
  );
  return rows.length > 0;
}
