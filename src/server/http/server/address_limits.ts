import { AppError } from '../../db/errors.ts';

const MINUTE = 60_000;
/** The maximum number of addresses remembered; beyond it the memory is cleared. */
const MAX_ADDRESSES = 50_000;

/** Counts requests per address and minute, in the memory of this server. */
export class AddressLimits {
  readonly #counts = new Map<string, { from: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one more. @throws AppError 429 beyond `most` per minute */
  count(of: string, max: number): void {
    const now = this.#now();
    let one = this.#counts.get(of);
    if (!one || now - one.from >= MINUTE) {
      if (this.#counts.size >= MAX_ADDRESSES) this.#counts.clear();
      one = { from: now, count: 0 };
      this.#counts.set(of, one);
    }
    one.count++;
    if (one.count > max)
      throw new AppError(429, 'too_many', 'Too many requests from your network. Wait a minute and try again.');
  }
}
