import { AppError } from '../../db/errors.ts';
import { joined } from '../../db/joined.ts';
import type { Session } from '../../access/context.ts';

/** A tile that takes longer is given up. */
export const TILE_MS = 2_000;
/** Tiles of one call that are made at the same time. */
const AT_ONCE = 4;
/** PostgreSQL: a statement ran longer than it may. */
const CANCELLED = '57014';

const tooSlow = () =>
  new AppError(503, 'too_slow', 'These figures took too long. Narrow what is shown, or try again in a moment.');

/** Reads in a transaction that changes nothing and whose statements end in time. @throws AppError 503 when they did not */
export async function readInTime<T, S extends Session>(session: S, read: (session: S) => Promise<T>): Promise<T> {
  const { tenant } = session;
  try {
    return await tenant.db.transaction(async (tx) => {
      await tx.query(
        `select set_config('statement_timeout', '${TILE_MS}', true), set_config('transaction_read_only', 'on', true)`,
      );
      const { db, end } = joined(tenant.db, tx);
      try {
        return await read({ ...session, tenant: { ...tenant, db } });
      } finally {
        end();
      }
    });
  } catch (error) {
    throw (error as { code?: string }).code === CANCELLED ? tooSlow() : error;
  }
}

/** The outcome of something within so many milliseconds. @throws AppError 503 when it is not there by then */
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
