import { Exact } from '../../../descriptor/exact.ts';
import { formatAmount, formatMoney } from '../../../descriptor/format.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { isDecision } from '../../../descriptor/workflow.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ActsFor, Refusal, Session } from '../../access/context.ts';
import { labelExpression } from '../../db/columns.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Person } from './relations.ts';
import { isRelated, memberType, peopleIn } from './relations.ts';

export interface WhoDeps {
  screens: ReadonlyMap<string, Screen>;
  /** The delegators on whose behalf alone the person may act here; empty = on their own behalf. */
  delegators(decides: boolean): Promise<readonly ActsFor[]>;
  /** Whether people may decide their own requests. */
  ownWork(): Promise<boolean>;
  /** Whether a person has a role, by code. */
  holdsRole(session: Session, code: string): Promise<boolean>;
}

/** Whether a person may take a transition, and on whose behalf: one of `delegators`; none = their own. */
export type MayTake = { delegators: ActsFor[] } | { refused: Refusal };

/**
 * Checks whether a person may take a transition of a stored record: its rights, and its `who`. Where nothing says who may
 * take it, only who may not, the right to edit is required.
 */
export async function mayTake(
  session: Session,
  screen: Screen,
  stored: WireRecord,
  transition: Transition,
  deps: WhoDeps,
): Promise<MayTake> {
  const { rights } = session;
  const { right, who } = transition;
  const refused =
    right === undefined && (who === undefined || who.every((one) => one.startsWith('!')))
      ? (rights.refuse(screen, 'edit_screen') ?? rights.refuseAction(screen.access.action))
      : ((right?.page === undefined ? null : rights.refuse(screen, right.page)) ??
        (right?.action === undefined ? null : rights.refuseAction(right.action)));
  if (refused) return { refused };
  const delegators = await deps.delegators(right?.page === 'approval_screen');
  if (who === undefined) return { delegators: [...delegators] };
  const wanted = who.filter((one) => !one.startsWith('!'));
  const never = who.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const title = inSentence(screen.title);
  const free = isDecision(transition) && (await deps.ownWork());
  const any = async (names: string[], person: Person) => {
    for (const name of names) if (await isOne(session, screen, stored, name, person, deps)) return true;
    return false;
  };
  const mustDecide = async (asked: Person) =>
    `${(await usualDecider(session, screen, stored, transition, [session, asked], deps.screens)) ?? 'Somebody else'} must decide.`;
  if (!free && (await any(never, session)))
    return no(
      isDecision(transition)
        ? `You submitted this ${title} yourself. ${await mustDecide(session)}`
        : `You may not take this step of the ${title}: somebody else does.`,
    );
  const others = no(`"${transition.title}" is for others: you are not among those who take this step of the ${title}.`);
  if (delegators.length === 0) return wanted.length === 0 || (await any(wanted, session)) ? { delegators: [] } : others;
  const possible: ActsFor[] = [];
  let asked: ActsFor | null = null;
  for (const delegator of delegators) {
    const person: Person = { userId: delegator.userId ?? 0, employeeId: delegator.employeeId };
    if (!free && (await any(never, person))) asked = delegator;
    else if (wanted.length === 0 || (await any(wanted, person))) possible.push(delegator);
  }
  if (possible.length > 0) return { delegators: possible };
  if (!asked) return others;
  const person: Person = { userId: asked.userId ?? 0, employeeId: asked.employeeId };
  return no(`You act for ${asked.name}, who submitted this ${title}. ${await mustDecide(person)}`);
}

/** The name of the first usual approver who is none of these people; null = the transition names none. */
async function usualDecider(
  session: Session,
  screen: Screen,
  stored: WireRecord,
  { decides = [] }: Transition,
  not: readonly Person[],
  screens: ReadonlyMap<string, Screen>,
): Promise<string | null> {
  for (const relation of decides) {
    const { accounts, members } = await peopleIn(session, screens, screen, stored, relation);
    const member = members.find((id) => !not.some(({ employeeId }) => employeeId === id));
    const account = accounts.find((id) => !not.some(({ userId }) => userId === id));
    const { schema, db } = session.tenant;
    const people = memberType(screens);
    const [found] =
      member !== undefined && people
        ? await db.query<{ name: string }>(
            preparedStatement(
              `select ${labelExpression(people, 't', { screens, schema })} as name from ${tableName(schema, people.name)} t where t.id = $1`,
              [member],
            ),
          )
        : await db.query<{ name: string }>(
            preparedStatement(`select name from ${quoted(schema)}.users where id = $1`, [account ?? null]),
          );
    if (found) return found.name;
  }
  return null;
}

/**
 * The delegator on whose behalf a person takes a transition: the first whose limit covers the record's amount, both
 * before and after, so that a limit cannot be bypassed with a smaller figure.
 */
export function deputyWithin(
  screen: Screen,
  { right }: Transition,
  delegators: readonly ActsFor[],
  records: readonly Readonly<Record<string, unknown>>[],
): { for: ActsFor | null } | { refused: Refusal } {
  const [first] = delegators;
  if (!first) return { for: null };
  const name = right?.page === 'approval_screen' ? screen.workflow?.amount : undefined;
  const amounts = records.flatMap((record) => {
    const value = name === undefined ? null : record[name];
    return typeof value === 'string' || typeof value === 'number' ? [new Exact(value)] : [];
  });
  const amount = amounts.length > 0 ? Exact.max(...amounts) : null;
  const within = delegators.find(({ limit }) => limit === null || amount === null || amount.lte(limit));
  if (within) return { for: within };
  const widest = delegators.reduce((a, b) => (new Exact(a.limit!).gte(b.limit!) ? a : b));
  const field = screen.fields.find((one) => one.name === name);
  const inWords = formatAmount(field, amount!.toFixed(), records[0] ?? null);
  return no(
    `As deputy of ${widest.name} you approve up to ${formatMoney(widest.limit!)}; this ${inSentence(screen.title)} comes to ${inWords}. ${widest.name} or another approver decides it.`,
  );
}

const no = (message: string): { refused: Refusal } => ({ refused: { reason: 'row', message } });

/** Whether a person matches a name: a relation, `action:CODE`, `role:CODE`. */
async function isOne(
  session: Session,
  screen: Screen,
  stored: WireRecord,
  name: string,
  person: Person,
  { screens, holdsRole }: WhoDeps,
): Promise<boolean> {
  if (name.startsWith('action:')) return session.rights.refuseAction(name.slice('action:'.length)) === null;
  if (name.startsWith('role:')) return holdsRole(session, name.slice('role:'.length));
  return isRelated(session, screens, screen, stored, name, person);
}
