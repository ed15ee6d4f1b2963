import { formatAmount } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { RemarkWhen } from '../../engine/approval/approvals.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { ApprovalMode, Need } from '../../../domain/approval_levels.ts';
import { levelsFor } from '../../../domain/approval_levels.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { elevated } from '../../engine/records/elevated.ts';
import type { Person } from '../../engine/workflow/relations.ts';
import { peopleIn } from '../../engine/workflow/relations.ts';
import { holds } from '../../engine/workflow/values.ts';

type Row = Record<string, unknown>;

/** A configured level of an approval process. */
export interface Level {
  level: number;
  amount_from: string | null;
  approver_by:
    | 'authority'
    | 'role'
    | 'employee'
    | 'group'
    | 'reporting_manager'
    | 'department_head'
    | 'branch_head'
    | 'relation';
  relation: string | null;
  role_id: number | null;
  employee_id: number | null;
  employee_ids: number[] | null;
  need: Need;
  need_n: number | null;
  time_unit: 'hours' | 'days' | null;
  remind_after: number | null;
  time_limit: number | null;
  on_timeout: 'remind' | 'escalate_manager' | 'next_level' | null;
  /** People who agreed at an earlier level count as agreed here too. */
  skip_agreed: boolean | null;
  remark_when: RemarkWhen | null;
  /** Fields of the document that they may change while approving. */
  may_change: string[] | null;
  /** Whether its bands notify people while the level waits. */
  slab_id: number | null;
}

/** The document to approve, and the requester. */
export interface Situation {
  screen: Screen;
  /** Null in a simulation. */
  record: Row | null;
  amount: string | null;
  branchId: number | null;
  branchName: string | null;
  /** The person whose manager and department are used. */
  requester: Person & { name: string };
  /** The accounts of the requesters, who are never asked to approve their own document. */
  requesters: number[];
}

export interface FoundPerson {
  id: number;
  name: string;
  why: string;
}

export interface RoutedLevel extends Level {
  /** Whether the amount reaches it. */
  isAsked: boolean;
  people: FoundPerson[];
  /** Matching people who are left out because they are requesters. */
  leftOut: FoundPerson[];
}

export interface RoutedProcess {
  id: number;
  name: string;
  beside: boolean;
  levels: RoutedLevel[];
}

/** The hint if a level finds no approver; requesters are never asked. */
const REMEDIES: Record<Level['approver_by'], string> = {
  authority: 'Complete the list of authorities',
  role: 'Give the role that it names to somebody else',
  employee: 'Name somebody else there, with an account',
  group: 'Name others there, with accounts',
  reporting_manager: 'Enter at "Reports to" of the requester’s employee record a person with an account',
  department_head: 'Give the requester’s department another head, with an account',
  branch_head: 'Give the branch another head, with an account',
  relation: 'Enter a person with an account in the document, or name another relation there',
};

const LEVEL_COLUMNS =
  'level, amount_from, approver_by, relation, role_id, employee_id, employee_ids, need, need_n, time_unit, remind_after, time_limit, on_timeout, skip_agreed, remark_when, may_change, slab_id';

/** The current levels of a process. */
export function levelsOfProcess({ tenant: { db, schema } }: Session, id: number): Promise<Level[]> {
  return db.query<Level>(
    `select ${LEVEL_COLUMNS} from ${childTable(schema, 'approval_process', 'levels')} where parent_id = $1 order by level`,
    [id],
  );
}

/** The process that a document names; null = none; undefined = its type names no processes. */
export function namedProcess({ approval }: Screen, record: Row): number | null | undefined {
  if (approval?.process === undefined) return undefined;
  const named = record[approval.process];
  return typeof named === 'number' ? named : null;
}

/**
 * The processes that decide a document, with the people of every level: the first that matches, and additional ones.
 * The lowest order comes first; without one, the more specific: fewer branches first, a condition before none. A
 * document that names its process has only that one, also after the process was deactivated.
 */
export async function routesOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  situation: Situation,
): Promise<RoutedProcess[]> {
  const { db, schema } = session.tenant;
  const { screen, record, amount } = situation;
  const named = record ? namedProcess(screen, record) : undefined;
  if (named === null) return [];
  const candidates = await db.query<{
    id: number;
    name: string;
    mode: ApprovalMode;
    condition: string | null;
    beside: boolean;
  }>(
    `select id, name, mode, condition, coalesce(beside, false) as beside from ${tableName(schema, 'approval_process')}
     where (active and $4::bigint is null or id = $4) and entity_id = $1 and transaction_type = $2 and (coalesce(cardinality(branch_ids), 0) = 0 or $3 = any(branch_ids))
     order by seq nulls last, nullif(cardinality(branch_ids), 0) nulls last, coalesce(trim(condition), '') = '', id`,
    [session.entityId, screen.name, situation.branchId, named ?? null],
  );
  // Without a record its condition is evaluated with the known values.
  const about = record ?? {
    branch_id: situation.branchId,
    ...(screen.approval?.amount !== undefined && { [screen.approval.amount]: amount }),
  };
  const fits = async (condition: string | null) =>
    condition === null ||
    condition.trim() === '' ||
    holds({ session: elevated(session), screen, screens, record: about }, condition);
  const found: RoutedProcess[] = [];
  let isMainFound = false;
  for (const { id, name, mode, condition, beside } of candidates) {
    if ((!beside && isMainFound) || !(await fits(condition))) continue;
    isMainFound ||= !beside;
    const levels = await levelsOfProcess(session, id);
    const asked = new Set(levelsFor(levels, amount, mode));
    const routed: RoutedLevel[] = [];
    for (const level of levels) {
      const everybody = await peopleOf(session, screens, situation, level);
      routed.push({
        ...level,
        isAsked: asked.has(level),
        people: everybody.filter((one) => !situation.requesters.includes(one.id)),
        leftOut: everybody.filter((one) => situation.requesters.includes(one.id)),
      });
    }
    found.push({ id, name, beside, levels: routed });
  }
  return found;
}

/** The amount field that decides levels and authorities. */
export const amountField = ({ approval, fields }: Screen) => fields.find(({ name }) => name === approval?.amount);

/**
 * Why a process has no approver; null = it has one. A level without people passes to the next one; the highest level
 * cannot be skipped.
 */
export function refusalOf(
  { screen, record, amount, branchName }: Situation,
  { name, levels }: RoutedProcess,
): string | null {
  const highest = levels.findLast(({ isAsked }) => isAsked);
  if (!highest || highest.people.length > 0) return null;
  const branch = branchName === null ? '' : ` at ${branchName}`;
  const of = amount === null ? '' : ` of ${formatAmount(amountField(screen), amount, record)}`;
  return `No approver found for this ${inSentence(screen.title)}${of}${branch}, level ${highest.level} of the approval process "${name}". ${REMEDIES[highest.approver_by]}.`;
}

/** The accounts of a level, without duplicates. */
async function peopleOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  situation: Situation,
  level: Level,
): Promise<FoundPerson[]> {
  const { screen, record, amount, branchId, requester } = situation;
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const usable = `u.active and u.status = 'active' and not coalesce(u.is_service, false)`;
  const ofRole = (role: number | null) =>
    db.query<FoundPerson>(
      `select u.id, u.name, 'Role ' || r.role_name as why from ${s}.users u join ${s}.role r on r.id = $2
       where ${usable} and exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and c.entity_id = $1 and r.id = any(c.role_ids)) order by u.id`,
      [session.entityId, role],
    );
  const ofEmployees = (ids: readonly (number | null)[], why: string) =>
    ids.every((id) => id === null)
      ? []
      : db.query<FoundPerson>(
          `select u.id, u.name, $2::text as why from ${s}.users u where ${usable} and u.employee_id = any($1::bigint[]) order by u.id`,
          [ids.filter((id) => id !== null), why],
        );
  const one = async (text: string, id: number | null) => {
    if (id === null) return [];
    const [row] = await db.query<{ id: number | null; why: string }>(text, [id]);
    return row ? ofEmployees([row.id], row.why) : [];
  };
  const found = await (async (): Promise<FoundPerson[]> => {
    switch (level.approver_by) {
      case 'role':
        return ofRole(level.role_id);
      case 'employee':
        return ofEmployees([level.employee_id], 'Named in the process');
      case 'group':
        return ofEmployees(level.employee_ids ?? [], 'Named in the process');
      case 'reporting_manager':
        return one(
          `select reporting_to_id as id, 'Manager of ' || name as why from ${s}.employee where id = $1`,
          requester.employeeId,
        );
      case 'department_head':
        return one(
          `select d.head_id as id, 'Head of ' || d.name as why from ${s}.employee e join ${s}.department d on d.id = e.department_id where e.id = $1`,
          requester.employeeId,
        );
      case 'branch_head':
        return one(`select head_id as id, 'Head of ' || name as why from ${s}.branch where id = $1`, branchId);
      case 'relation': {
        if (record === null || level.relation === null) return [];
        const { accounts, members } = await peopleIn(session, screens, screen, record, level.relation);
        const why = `Named by the ${inSentence(screen.title)} (${level.relation})`;
        const named = await db.query<FoundPerson>(
          `select u.id, u.name, $2::text as why from ${s}.users u where ${usable} and u.id = any($1::bigint[]) order by u.id`,
          [accounts, why],
        );
        return [...named, ...(await ofEmployees(members, why))];
      }
      case 'authority': {
        const held = await db.query<{
          role_id: number | null;
          employee_id: number | null;
          employee_ids: number[] | null;
          kind: string;
          number: string | null;
        }>(
          `select role_id, employee_id, employee_ids, approver_kind as kind, authority_no as number from ${tableName(schema, 'approval_list')}
           where active and entity_id = $1 and transaction_type = $2 and level = $3 and valid_from <= $6::date and coalesce(valid_to >= $6::date, true)
             and (coalesce(cardinality(branch_ids), 0) = 0 or $4 = any(branch_ids))
             and ($5::numeric is null or coalesce(amount_from, 0) <= abs($5) and coalesce(amount_to >= abs($5), true)) order by id`,
          [session.entityId, screen.name, level.level, branchId, amount, dayIn(placeOf(session).timezone)],
        );
        const people: FoundPerson[] = [];
        for (const { kind, role_id: role, employee_id: employee, employee_ids: group, number } of held) {
          const why = number === null ? 'Authority' : `Authority ${number}`;
          const named = kind === 'group' ? (group ?? []) : [employee];
          const some = kind === 'role' ? await ofRole(role) : await ofEmployees(named, why);
          people.push(...some.map((person) => ({ ...person, why })));
        }
        return people;
      }
    }
  })();
  return [...new Map(found.toReversed().map((person) => [person.id, person])).values()].toReversed();
}
