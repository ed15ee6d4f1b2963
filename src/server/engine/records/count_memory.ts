/** How long a list is assumed to be longer than the cap without being counted again. */
const STANDS_MS = 5_000;
const MAX_LISTS = 2_000;

/**
 * Remembers which lists are longer than the cap ("1,000+"), so that paging, or typing in the search box and deleting it
 * again, does not repeat the count. A change of the type by this process clears the entry at once; a change by another
 * process is noticed after five seconds. Exact counts are never cached.
 */
export class CountMemory {
  private readonly types = new Map<string, Map<string, number>>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** @param list the statement with its parameters */
  isBeyond(schema: string, type: string, list: string): boolean {
    const until = this.types.get(`${schema}.${type}`)?.get(list);
    return until !== undefined && until > this.now();
  }

  remember(schema: string, type: string, list: string): void {
    const key = `${schema}.${type}`;
    const lists = this.types.get(key) ?? new Map<string, number>();
    // Too many different lists: the cache is cleared.
    if (lists.size >= MAX_LISTS) lists.clear();
    this.types.set(key, lists.set(list, this.now() + STANDS_MS));
  }

  forget(schema: string, type: string): void {
    this.types.delete(`${schema}.${type}`);
  }
}
