import type { ScreenCheck } from './check_context.ts';
import { didYouMean } from './source.ts';

/** A reference to people in a word: a relation, `did:` a transition, a role or an action; a leading "!" is removed. */
export function checkPerson(check: ScreenCheck, written: string, at: (string | number)[]): void {
  const { relations = {} } = check.screen;
  const name = written.replace(/^!/, '');
  if (/^(role|action):[A-Z][A-Z0-9_]*$/.test(name) || name === 'requester' || name in relations) return;
  const transitions = check.screen.workflow!.transitions.map((one) => one.name);
  if (name.startsWith('did:')) {
    const taken = name.slice('did:'.length);
    if (!transitions.includes(taken))
      check.report(at, `There is no transition "${taken}".`, didYouMean(taken, transitions));
    return;
  }
  check.report(
    at,
    `"${name}" is not a relation of this type.`,
    didYouMean(name, [...Object.keys(relations), 'requester']) ?? 'Say under "relations" who that is.',
  );
}
