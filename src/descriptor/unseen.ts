import type { Field, Rule, Screen } from './types.ts';

/** What applies to a record even though this person does not see all of its fields. */
export interface Unseen {
  /** Rules on fields hidden from this person; their messages do not reveal the values. */
  rules: Rule[];
  /** The hidden fields used by those rules, as others see them. */
  fields: Field[];
}

const found = new WeakMap<Screen, Unseen>();

/** The rules that a screen lacks because its fields are hidden from this person; undefined = none. */
export function unseenOf(screen: Screen): Unseen | undefined {
  return found.get(screen);
}

/** Stores what else applies to a person's screen. It stays on the server: screens are sent to browsers, this is not. */
export function noteUnseen(screen: Screen, unseen: Unseen | undefined): void {
  if (unseen && unseen.rules.length > 0) found.set(screen, unseen);
}

/** A rule for people who do not see its fields: it does not mention them, and its message is not shown at them. */
export function withoutValues(rule: Rule, hidden: ReadonlySet<string>): Rule {
  const { field, ...rest } = rule;
  return {
    ...rest,
    message: rule.message.replace(/\{(\w+)\}/g, (all, name: string) => (hidden.has(name) ? '…' : all)),
    ...(field !== undefined && (rule.rows !== undefined || !hidden.has(field)) && { field }),
  };
}
