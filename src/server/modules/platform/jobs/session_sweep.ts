import type { Job } from '../../../engine/modules.ts';
import { changeOldRows } from '../../../platform/upkeep/old_rows.ts';

/** Removes expired sessions, links and counters. */
export const sessionSweep: Job = {
  async run({ actor: { tenant } }) {
    const [sessions, tokens, counters] = await Promise.all([
      changeOldRows(
        tenant,
        'delete from {s}.session where coalesce(revoked_at, expires_at) < now() - make_interval(days => $1)',
        30,
      ),
      changeOldRows(tenant, 'delete from {s}.password_token where expires_at < now() - make_interval(days => $1)', 7),
      changeOldRows(tenant, 'delete from {s}.login_counter where last_at < now() - make_interval(days => $1)', 2),
    ]);
    return `${sessions} sessions, ${tokens} links and ${counters} counters removed.`;
  },
};
