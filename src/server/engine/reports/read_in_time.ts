import type { Session } from '../../access/context.ts';
import type { AppError } from '../../db/errors.ts';
import { joined } from '../../db/joined.ts';

/** PostgreSQL: a statement ran longer than it may. */
const CANCELLED = '57014';

/** How long a statement may run, and what is answered where it ran longer. */
export interface ReadLimit {
  milliseconds: number;
  tooSlow(): AppError;
}

/** Reads in a transaction that changes nothing and whose statements end in time. @throws what `tooSlow` gives when they did not */
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
