import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { StoredEntry } from '../../services/audit/audit.ts';
import { chainWaiting, entryText, follows, headOfAudit, startOfAudit } from '../../services/audit/audit.ts';

/** The first entry that is not chained to the previous one; null = the chain is intact. */
export async function brokenAuditEntry(tenant: Pick<Tenant, 'db' | 'schema'>): Promise<number | null> {
  const { db, schema } = tenant;
  await chainWaiting(tenant);
  const head = await headOfAudit(db, schema);
  let previous = await startOfAudit(db, schema);
  let last = 0;
  for (;;) {
    const rows = await db.query<StoredEntry & { seq: number }>(
      `select a.seq, a.prev_hash, a.hash, ${entryText('a')} as text, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
         a.actor_user_id as actor, a.action, a.target_type || coalesce(':' || a.target_id, '') as target
       from ${quoted(schema)}.audit_log a where a.seq > $1 order by a.seq limit 5000`,
      [last],
    );
    for (const row of rows) {
      // A copy of the newest entry is kept beside the log: its replacement or removal is detected.
      if (!follows(row, previous) || (row.seq === head?.seq && row.hash !== head.hash)) return row.seq;
      previous = row.hash;
      last = row.seq;
    }
    if (rows.length < 5000) return head && last < head.seq ? head.seq : null;
  }
}
