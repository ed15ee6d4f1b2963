import type { Field, Rule, Screen } from './types.ts';

/** What holds for a record though this person does not see all that it is about. */
export interface Unseen {
  /** Rules over fields that are hidden from this person; their messages do not say what is in those. */
  rules: Rule[];
  /** The fields that those rules name and this person does not see, as others see them. */
  fields: Field[];
}

const found = new WeakMap<Screen, Unseen>();

/** The rules that a screen lacks because its fields are hidden from this person; undefined = none. */
export function unseenOf(screen: Screen): Unseen | undefined {
  return found.get(screen);
}

/** Notes for a person's screen what holds beyond it. It stays on the server: screens go to browsers, this does not. */
export function noteUnseen(screen: Screen, unseen: Unseen | undefined): void {
  if (unseen && unseen.rules.length > 0) found.set(screen, unseen);
}

/** A rule for somebody who does not see these fields: it says nothing of them, and stands under none of them. */
export function withoutValues(rule: Rule, hidden: ReadonlySet<string>): Rule {
  const { field, ...rest } = rule;
  return {
    ...rest,
    message: rule.message.replace(/\{(\w+)\}/g, (all, name: string) => (hidden.has(name) ? '…' : all)),
    ...(field !== undefined && (rule.rows !== undefined || !hidden.has(field)) && { field }),
  };
}
