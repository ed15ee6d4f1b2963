import type { Statement } from './database.ts';

/** Statements at work at once before the next ones wait for each other. */
const AT_ONCE = 4;
/** Statements of one transaction. */
const MAX_TOGETHER = 16;
/** So long those that wait wait for one that is at work; then they go ahead beside it. */
const PATIENCE_MS = 25;

interface Waiting {
  statement: Statement;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** How statements are carried out. */
export interface Carrier {
  alone(statement: Statement): Promise<unknown[]>;
  /** All in one transaction, on one connection. `undone` = nothing of it happened, each may be tried by itself. */
  together(statements: readonly Statement[]): Promise<{ rows: unknown[][] } | { undone: true }>;
}

/**
 * Statements that each are a whole of their own and mind no company: while a few are at work, those that come wait for one
 * of them and are then carried out in one transaction, which is one write to disk for all. Where one of them fails
 * nothing of that transaction happened, and each is carried out alone; so nobody hears of the others.
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

  /** One that is at work waits itself, for a lock perhaps. */
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
