/** What was answered stands this long, unless a record that it is made of changes before. */
const KEPT_MS = 5_000;
/** Answers kept at most; the oldest go first. */
const MAX_KEPT = 5_000;

interface Kept {
  answer: Promise<unknown>;
  until: number;
  schema: string;
  types: readonly string[];
}

/** Answers of tiles, kept a moment so that many who look at the same figures ask the database once. */
export class TileMemory {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The answer under a key, made when there is none; whoever asks meanwhile waits for the same one. */
  once<T>(key: string, { schema, types }: Pick<Kept, 'schema' | 'types'>, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    if (known && known.until > this.#now()) return known.answer as Promise<T>;
    const answer = make();
    this.#kept.delete(key);
    const kept = { answer, until: this.#now() + KEPT_MS, schema, types };
    this.#kept.set(key, kept);
    // What failed is asked again.
    answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    for (const [oldest, { until }] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && until > this.#now()) break;
      this.#kept.delete(oldest);
    }
    return answer;
  }

  /** Forgets what is made of these types of a client. */
  forget(schema: string, types: ReadonlySet<string>): void {
    for (const [key, kept] of this.#kept)
      if (kept.schema === schema && kept.types.some((type) => types.has(type))) this.#kept.delete(key);
  }
}
