import { CHANNEL } from '../../db/announce.ts';
import type { Queryable } from '../../db/database.ts';
import { literal, quoted } from '../../db/names.ts';

/**
 * Changes sessions and publishes it to every process, on commit, so that cached data is reloaded. Every change of a
 * session's rights or lifetime goes through here. @returns their ids
 */
export async function changeSessions(
  on: Queryable,
  schema: string,
  { set, where }: { set: string; where: string },
  values: unknown[],
): Promise<string[]> {
  const message = `json_build_object('kind', 'session', 'schema', ${literal(schema)}, 'sid', r.sid)::text`;
  const rows = await on.query<{ sid: string }>(
    `with r as (update ${quoted(schema)}.session set ${set} where ${where} returning sid)
     select r.sid, pg_notify(${literal(CHANNEL)}, ${message}) from r`,
    values,
  );
  return rows.map(({ sid }) => sid);
}

/** Ends active sessions at once and in every process. @returns their ids */
export function revokeSessions(
  on: Queryable,
  schema: string,
  reason: 'logout' | 'admin' | 'password' | 'disabled' | 'client' | 'idle' | 'replaced',
  { where, values }: { where: string; values: unknown[] },
): Promise<string[]> {
  return changeSessions(
    on,
    schema,
    { set: `revoked_at = now(), revoke_reason = ${literal(reason)}`, where: `revoked_at is null and ${where}` },
    values,
  );
}

/** The company that a session works in from now on, with the person's branch there. */
export async function chooseCompany(
  on: Queryable,
  schema: string,
  sid: string,
  company: { entity_id: number; branch_id: number | null },
): Promise<void> {
  await changeSessions(on, schema, { set: 'entity_id = $2, branch_id = $3', where: 'sid = $1' }, [
    sid,
    company.entity_id,
    company.branch_id,
  ]);
}

/** Continues a pending sign-in; one that is pending for another reason is unchanged. */
export async function liftScope(
  on: Queryable,
  schema: string,
  sid: string,
  from: 'otp' | 'password_change',
  to: 'password_change' | 'full',
): Promise<void> {
  await changeSessions(on, schema, { set: 'scope = $2', where: 'sid = $1 and scope = $3' }, [sid, to, from]);
}
