import { AppError } from '../../db/errors.ts';

/** A tile that takes longer is given up. */
export const TILE_MS = 2_000;
/** Tiles of one call that are made at the same time. */
const AT_ONCE = 4;

/** The message of a tile that was given up. */
export const tooSlow = () =>
  new AppError(503, 'too_slow', 'These figures took too long. Narrow the filters, or try again in a moment.');

/** The outcome of something within a number of milliseconds. @throws AppError 503 when it is not there by then */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooSlow()), milliseconds);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Does something with each, a few at a time; answers stand in the order of the entries. */
export async function fewAtATime<T, R>(entries: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const lane = async () => {
    while (next < entries.length) {
      const at = next++;
      answers[at] = await work(entries[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, entries.length) }, lane));
  return answers;
}
