/** A company rule, with the data needed to choose among several. */
export interface PolicyRule {
  id: number;
  priority: number;
  /** YYYY-MM-DD */
  valid_from: string;
  valid_to: string | null;
  /** Its criteria by name; null = any. */
  criteria: Readonly<Record<string, number | null>>;
}

/**
 * The rule that applies (section 3.6 of the design of field service): valid on the day, every filled criterion equal;
 * of those the one with the most criteria, then by priority, then the latest, then the one created last. Null: none
 * applies.
 * @param day YYYY-MM-DD
 * @param facts ids by criterion; a criterion without a fact matches no rule that fills it
 */
export function chosenPolicy<T extends PolicyRule>(
  rules: readonly T[],
  day: string,
  facts: Readonly<Partial<Record<string, number | null>>>,
): T | null {
  const filled = ({ criteria }: T) => Object.values(criteria).filter((value) => value !== null).length;
  const fits = rules.filter(
    ({ valid_from: from, valid_to: to, criteria }) =>
      from <= day &&
      (to === null || to >= day) &&
      Object.entries(criteria).every(([name, value]) => value === null || facts[name] === value),
  );
  fits.sort(
    (a, b) =>
      filled(b) - filled(a) || b.priority - a.priority || b.valid_from.localeCompare(a.valid_from) || b.id - a.id,
  );
  return fits[0] ?? null;
}
