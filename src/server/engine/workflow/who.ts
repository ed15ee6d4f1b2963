import type { Transition } from '../../../descriptor/workflow.ts';
import { isDecision } from '../../../descriptor/workflow.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ActsFor, Refusal, Session } from '../../context.ts';
import type { Person } from './relations.ts';
import { isRelated } from './relations.ts';

export interface WhoDeps {
  screens: ReadonlyMap<string, Screen>;
  /** For whom alone, as their deputy, the person may act here; empty = for themselves. */
  givers(decides: boolean): Promise<readonly ActsFor[]>;
  /** Whether people may decide what they asked for themselves. */
  ownWork(): Promise<boolean>;
  /** Whether a person has a role, by its code. */
  holdsRole(session: Session, code: string): Promise<boolean>;
}

/** Whether a person may take a transition, and for whom as their deputy. */
export type MayTake = { for: ActsFor | null } | { refused: Refusal };

/**
 * Looks whether a person may take a transition of a stored record: the rights that it names, and who it names by
 * relation. Without either it takes the right to edit.
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
    right === undefined && who === undefined
      ? (rights.refuse(screen, 'edit_screen') ?? rights.refuseAction(screen.access.action))
      : ((right?.page === undefined ? null : rights.refuse(screen, right.page)) ??
        (right?.action === undefined ? null : rights.refuseAction(right.action)));
  if (refused) return { refused };
  const givers = await deps.givers(isDecision(transition));
  if (who === undefined) return { for: givers[0] ?? null };
  const wanted = who.filter((one) => !one.startsWith('!'));
  const never = who.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const title = inSentence(screen.title);
  const no = (message: string): MayTake => ({ refused: { reason: 'row', message } });
  const free = isDecision(transition) && (await deps.ownWork());
  const any = async (names: string[], person: Person) => {
    for (const name of names) if (await isOne(session, screen, stored, name, person, deps)) return true;
    return false;
  };
  if (!free && (await any(never, session)))
    return no(
      isDecision(transition)
        ? `You asked for this ${title} yourself. Somebody else decides it.`
        : `You may not take this step of the ${title}: somebody else does.`,
    );
  const people: (ActsFor | null)[] = givers.length === 0 ? [null] : [...givers];
  let asked: ActsFor | null = null;
  for (const giver of people) {
    const person: Person = giver ? { userId: giver.userId ?? 0, employeeId: giver.employeeId } : session;
    if (giver && !free && (await any(never, person))) {
      asked = giver;
      continue;
    }
    if (wanted.length === 0 || (await any(wanted, person))) return { for: giver };
  }
  if (asked) return no(`You act for ${asked.name} here, who asked for this ${title}. Somebody else decides it.`);
  return no(`"${transition.title}" is for others: you are not among those who take this step of the ${title}.`);
}

/** Whether somebody is one of those a name stands for: a relation, `action:CODE`. */
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
