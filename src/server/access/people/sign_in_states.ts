import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { attemptOf } from '../sessions/attempts.ts';

/** People added within the last day as invited who have not been sent a link. */
export function uninvited({
  db,
  schema,
}: Tenant): Promise<{ id: number; name: string; email: string; username: string }[]> {
  const s = quoted(schema);
  return db.query(
    `select u.id, u.name, u.email, u.username from ${s}.users u
     where u.active and u.status = 'invited' and not coalesce(u.is_service, false) and u.created_at > now() - interval '1 day'
       and not exists (select 1 from ${s}.password_token t where t.user_id = u.id) order by u.id`,
  );
}

interface Failures {
  failures: number;
  locked_until: string | null;
}

/** The sign-in state of all users of a client: password, open sessions, second factor, failed attempts. */
export async function signInStates(
  { db, schema }: Tenant,
  secret: Parameters<typeof attemptOf>[3],
): Promise<(Failures & { id: number; username: string; email: string })[]> {
  const s = quoted(schema);
  const rows = await db.query<{ id: number; username: string; email: string }>(
    `select u.id, u.username, u.name, u.email, u.status, coalesce(u.is_admin, false) as is_admin, u.last_login_at, c.changed_at as password_changed_at,
       coalesce(c.must_change, false) or coalesce(u.must_change_password, false) as must_change,
       (select count(*)::int from ${s}.session x where x.user_id = u.id and x.revoked_at is null and x.expires_at > now()) as sessions,
       exists (select 1 from ${s}.user_totp f where f.user_id = u.id and f.confirmed_at is not null) as mfa
     from ${s}.users u left join ${s}.credential c on c.user_id = u.id where u.active and not coalesce(u.is_service, false) order by u.name, u.id limit 5000`,
  );
  const counters = await db.query<Failures & { key: string }>(
    `select key, failures, case when locked_until > now() then locked_until end as locked_until from ${s}.login_counter where key like 'i%' and failures > 0`,
  );
  const byHash = new Map<string, Failures>();
  for (const row of counters) {
    const hash = row.key.split(' ')[1] ?? '';
    const known = byHash.get(hash) ?? { failures: 0, locked_until: null };
    byHash.set(hash, {
      failures: Math.max(known.failures, row.failures),
      locked_until: row.locked_until ?? known.locked_until,
    });
  }
  return rows.map((row) => {
    const { identifierHash } = attemptOf('account', row.id, '127.0.0.1', secret);
    const found = byHash.get(identifierHash);
    return { ...row, failures: found?.failures ?? 0, locked_until: found?.locked_until ?? null };
  });
}
