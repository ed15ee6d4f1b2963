import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';

/** An action item from a recording. */
export interface ActionItem {
  id?: number;
  text: string;
  owner_id: number | null;
  due_on: string | null;
  done: boolean | null;
}

/** Notifies people of action items assigned to them in a recording, except those they assigned to themselves. */
export async function notifyTasks(
  notifications: Notifications,
  { tenant, userId, userName }: Session,
  recording: WireRecord,
  given: ActionItem[],
): Promise<void> {
  if (given.length === 0) return;
  const users = await tenant.db.query<{ id: number; employee_id: number }>(
    `select id, employee_id from ${quoted(tenant.schema)}.users where employee_id = any($1) and id <> $2 and active and status = 'active'`,
    [given.map(({ owner_id: who }) => who), userId],
  );
  for (const { text, owner_id: who, due_on: day } of given) {
    const to = users.filter(({ employee_id: employee }) => employee === who).map(({ id }) => id);
    if (to.length === 0) continue;
    const by = day ? ` by ${dayFirst(day)}` : '';
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'transcription.task',
        to,
        values: { actor: userName, text, by, title: String(recording.title) },
        entityId: recording.entity_id as number,
        record: { type: 'transcription', id: recording.id },
        link: `/AI_Transcription/play/${recording.id}`,
      }),
    );
  }
}
