/** Several checks of one save ask for the same thousand rows. */
const setOf = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();
const NO_ROWS: ReadonlySet<unknown> = new Set();

/** The rows of a stored list, which nobody changes: the same objects elsewhere are unchanged rows. */
export function rowSet(stored: unknown): ReadonlySet<unknown> {
  if (!Array.isArray(stored)) return NO_ROWS;
  let set = setOf.get(stored);
  if (!set) setOf.set(stored, (set = new Set(stored)));
  return set;
}
