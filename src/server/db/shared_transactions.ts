import type { Statement } from './database.ts';

/** The number of concurrent statements before the next ones are batched. */
const AT_ONCE = 4;
/** The maximum number of statements per transaction. */
const MAX_TOGETHER = 16;
/** How long waiting statements wait for a running one; after that they run in parallel. */
const PATIENCE_MS = 25;

interface Waiting {
  statement: Statement;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** How statements are executed. */
export interface Carrier {
  alone(statement: Statement): Promise<unknown[]>;
  /** All in one transaction, on one connection. `undone` = nothing was committed, each may be tried separately. */
  together(statements: readonly Statement[]): Promise<{ rows: unknown[][] } | { undone: true }>;
}

/**
 * Batches self-contained statements: while a few are running, new ones wait for one of them and are then executed in
 * one transaction, which is one write to disk for all. If one of them fails, that transaction is rolled back, and each
 * is executed separately, so they do not affect each other.
 */
export class SharedTransactions {
  readonly #carrier: Carrier;
  readonly #waiting: Waiting[] = [];
  #working = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  run(statement: Statement): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject });
      if (this.#working < AT_ONCE) this.#next();
      else this.#timer ??= setTimeout(() => this.#lose(), PATIENCE_MS);
    });
  }

  /** A running statement is itself waiting, possibly for a lock. */
  #lose(): void {
    this.#timer = undefined;
    this.#next();
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#lose(), PATIENCE_MS);
  }

  #next(): void {
    const some = this.#waiting.splice(0, MAX_TOGETHER);
    if (some.length === 0) return;
    this.#working++;
    void this.#carryOut(some).finally(() => {
      this.#working--;
      if (this.#working < AT_ONCE) this.#next();
      if (this.#waiting.length === 0) {
        clearTimeout(this.#timer);
        this.#timer = undefined;
      }
    });
  }

  async #carryOut(some: Waiting[]): Promise<void> {
    if (some.length > 1) {
      try {
        const done = await this.#carrier.together(some.map(({ statement }) => statement));
        if ('rows' in done) return some.forEach(({ resolve }, at) => resolve(done.rows[at]!));
      } catch (error) {
        return some.forEach(({ reject }) => reject(error));
      }
    }
    await Promise.all(
      some.map(({ statement, resolve, reject }) => this.#carrier.alone(statement).then(resolve, reject)),
    );
  }
}
