import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** Messages of a client, the newest first, and their number in each state. */
export async function outboxLog(
  { db, schema }: Tenant,
  state: string | null,
  before: number | null,
): Promise<{ data: object[]; counts: object[] }> {
  const s = quoted(schema);
  const [data, counts] = await Promise.all([
    db.query<object>(
      // The text of a mail is private to sender and receiver: its links can sign people in.
      `select id, channel, recipient, event_code, subject, state, attempts, next_at, error, created_at, sent_at from ${s}.outbox
       where ($1::text is null or state = $1) and ($2::bigint is null or id < $2) order by id desc limit 50`,
      [state, before],
    ),
    db.query<object>(`select state, count(*)::int as count from ${s}.outbox group by state order by state`),
  ]);
  return { data, counts };
}

/** Retries a message that had been given up. @throws AppError 409 */
export async function sendAgain({ db, schema }: Tenant, id: number): Promise<void> {
  const rows = await db.query(
    `update ${quoted(schema)}.outbox set state = 'queued', attempts = 0, next_at = now(), error = null where id = $1 and state in ('dead','retry','suppressed') returning 1`,
    [id],
  );
  if (rows.length === 0) throw new AppError(409, 'bad_state', 'This message has been sent, or is being sent.');
}
