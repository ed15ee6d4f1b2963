import { AppError } from '../../db/errors.ts';

const MINUTE = 60_000;
/** Addresses that are remembered; a flood from more of them empties the memory. */
const MAX_ADDRESSES = 50_000;

/** How often something came from an address within a minute, in the memory of this server. */
export class AddressLimits {
  readonly #counts = new Map<string, { from: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one more. @throws AppError 429 beyond `most` in a minute */
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
