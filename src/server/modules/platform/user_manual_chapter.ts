import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

const WRITTEN = new Set(['draft', 'review']);

/** Why a chapter of this manual cannot be edited; null = it can. */
async function closed({ tenant }: Session, manual: unknown): Promise<string | null> {
  if (typeof manual !== 'number') return null;
  const [row] = await tenant.db.query<{ state: string; full_title: string }>(
    `select state, full_title from ${quoted(tenant.schema)}.user_manual where id = $1`,
    [manual],
  );
  if (!row || WRITTEN.has(row.state)) return null;
  return `${row.full_title} is ${row.state}; its text stays as it was read. Open it, choose "Edit this chapter", and a new draft is made.`;
}

/** Chapters: those of a published manual cannot change. */
export default defineHooks({
  async check(session, record, stored) {
    for (const manual of new Set([stored?.manual_id, record.manual_id])) {
      const message = await closed(session, manual);
      if (message !== null) return [{ field: 'manual_id', message }];
    }
    return [];
  },
  leave: (session, stored) => closed(session, stored.manual_id),
});
