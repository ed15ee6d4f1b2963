import { AppError } from '../../db/errors.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { AuditEntry } from '../../services/audit/audit.ts';

/** Stores an entry in the activity log when somebody asked a page for records of others by changing its address. */
export async function noteRefusal(
  { audit }: { audit(session: LiveSession, entry: Pick<AuditEntry, 'action' | 'target' | 'summary'>): Promise<void> },
  session: LiveSession,
  error: unknown,
  { target, title, asked }: { target: string; title: string; asked: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  if (!(error instanceof AppError) || error.status !== 403 || error.reason !== 'row') return;
  const choices = Object.entries(asked).map(([name, value]) => `${name} ${value}`);
  await audit(session, { action: 'deny', target, summary: [title, ...choices].join(', ') });
}
