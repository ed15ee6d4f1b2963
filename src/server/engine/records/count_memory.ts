/** Until when a list is taken to be longer than the cap without being counted again. */
const STANDS_MS = 5_000;
const MAX_LISTS = 2_000;

/**
 * Remembers which lists are longer than what is counted ("1,000+"): whoever pages through one, or types in its search
 * box and takes it back, does not have it counted each time. A change of the type by this process forgets at once; one
 * by another process is seen after five seconds. Exact counts are never remembered.
 */
export class CountMemory {
  private readonly types = new Map<string, Map<string, number>>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** @param list the statement with its values */
  isBeyond(schema: string, type: string, list: string): boolean {
    const until = this.types.get(`${schema}.${type}`)?.get(list);
    return until !== undefined && until > this.now();
  }

  remember(schema: string, type: string, list: string): void {
    const key = `${schema}.${type}`;
    const lists = this.types.get(key) ?? new Map<string, number>();
    // Too many different lists: they start afresh.
    if (lists.size >= MAX_LISTS) lists.clear();
    this.types.set(key, lists.set(list, this.now() + STANDS_MS));
  }

  forget(schema: string, type: string): void {
    this.types.delete(`${schema}.${type}`);
  }
}
