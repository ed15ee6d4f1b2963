import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { absoluteEnd, refreshedExpiry } from './expiry.ts';
import { changeSessions } from './session_changes.ts';
import { unauthenticated } from './session_ended.ts';

/**
 * Extends a session; previous tokens end soon. @returns its new end. @throws AppError 401, 409 if it cannot be extended
 */
export function prolongSession(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  sid: string,
  now: Date,
  absoluteDays: number,
): Promise<Date> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ expires_at: string; auth_at: string; impersonator_id: number | null }>(
      `select expires_at, auth_at, impersonator_id from ${quoted(schema)}.session where sid = $1 and revoked_at is null for update`,
      [sid],
    );
    if (!row) throw unauthenticated();
    if (row.impersonator_id !== null)
      throw new AppError(409, 'session_max_age', 'Support access ends at the agreed time. Ask the client again.');
    const old = new Date(row.expires_at);
    const signedInAt = new Date(row.auth_at);
    const next = refreshedExpiry(old, signedInAt, now, absoluteDays);
    if (old >= absoluteEnd(signedInAt, absoluteDays))
      throw new AppError(409, 'session_max_age', 'This sign-in cannot be extended any further. Please sign in again.');
    // Two tabs may refresh concurrently: this never shortens a session.
    const end = next > old ? next : old;
    await changeSessions(tx, schema, { set: 'expires_at = $2, min_iat = $3', where: 'sid = $1' }, [
      sid,
      end.toISOString(),
      Math.floor(now.getTime() / 1000),
    ]);
    return end;
  });
}
