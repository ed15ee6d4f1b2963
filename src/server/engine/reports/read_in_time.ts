import type { Session } from '../../access/context.ts';
import type { AppError } from '../../db/errors.ts';
import { joined } from '../../db/joined.ts';

/** PostgreSQL: statement time-out. */
const CANCELLED = '57014';

/** The time limit of a statement, and the error if it is exceeded. */
export interface ReadLimit {
  milliseconds: number;
  tooSlow(): AppError;
}

/**
 * Reads in a read-only transaction whose statements have a time limit. @throws the result of `tooSlow` if it is
 * exceeded
 */
export async function readInTime<T, S extends Session>(
  session: S,
  { milliseconds, tooSlow }: ReadLimit,
  read: (session: S) => Promise<T>,
): Promise<T> {
  const { tenant } = session;
  try {
    return await tenant.db.transaction(async (tx) => {
      await tx.query(
        `select set_config('statement_timeout', '${milliseconds}', true), set_config('transaction_read_only', 'on', true)`,
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
