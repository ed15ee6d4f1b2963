import type { WireRecord } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted } from '../db/names.ts';
import type { ActionItem } from '../modules/platform/transcription.ts';
import type { Notifications } from '../notifications/notify.ts';

const EVENT = 'transcription.task';

/** Tells people what they were given to do in a recording: of each thing once, however often the recording is saved. */
export async function tellTasks(notifications: Notifications, { tenant, userId, userName }: Session, recording: WireRecord): Promise<void> {
  const open = ((recording.action_items as ActionItem[] | null) ?? []).filter(({ owner_id: who, done }) => who && done !== true);
  if (open.length === 0) return;
  const s = quoted(tenant.schema);
  const users = await tenant.db.query<{ id: number; employee_id: number }>(
    `select id, employee_id from ${s}.users where employee_id = any($1) and id <> $2 and active and status = 'active'`, [open.map(({ owner_id: who }) => who), userId]);
  for (const { text, owner_id: who, due_on: day } of open)
    for (const { id } of users.filter(({ employee_id: employee }) => employee === who)) {
      const by = day ? ` by ${day.split('-').reverse().join('-')}` : '';
      const groupKey = `${EVENT}/${recording.id}/${text}`.slice(0, 200);
      const told = await tenant.db.query(`select 1 from ${s}.notification where user_id = $1 and event_code = $2 and group_key = $3 limit 1`, [id, EVENT, groupKey]);
      if (told.length > 0) continue;
      await tenant.db.transaction((tx) => notifications.notify(tx, tenant, {
        event: EVENT, to: [id], values: { actor: userName, text, by, title: String(recording.title) }, entityId: recording.entity_id as number, record: { type: 'transcription', id: recording.id }, link: `/AI_Transcription/play/${recording.id}`, groupKey,
      }));
    }
}
