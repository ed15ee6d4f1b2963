import type { Effect } from '../../../engine/modules.ts';
import { writeEvent } from '../write_event.ts';

type Row = Record<string, unknown>;
const rowsOf = (rows: unknown): Row[] => (Array.isArray(rows) ? (rows as Row[]).map(({ id: _id, ...row }) => row) : []);

/**
 * Moves messages, notes and watchers of a ticket to the one that it is merged into; its requester becomes a watcher
 * there.
 */
export const merged: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'ticket', id: Number(record.merged_into_id) }]),
  async apply({ unit, record }) {
    const all = unit.elevated();
    const target = await all.read('ticket', Number(record.merged_into_id));
    const first = {
      at: record.created_at,
      by_name: record.requester_id__label ?? record.requester_name ?? null,
      from_requester: true,
      text: `${String(record.subject)}\n${String(record.description)}`,
    };
    const byTime = (rows: Row[]) => rows.toSorted((a, b) => String(a.at).localeCompare(String(b.at)));
    const people = [
      ...((target.watcher_ids as number[] | null) ?? []),
      ...((record.watcher_ids as number[] | null) ?? []),
      record.requester_id,
      record.on_behalf_of_id,
    ].filter((one) => typeof one === 'number' && one !== target.requester_id);
    await all.update('ticket', target.id, {
      replies: byTime([...((target.replies as Row[] | null) ?? []), first, ...rowsOf(record.replies)]),
      notes: byTime([...((target.notes as Row[] | null) ?? []), ...rowsOf(record.notes)]),
      watcher_ids: [...new Set(people)],
    });
    await writeEvent(all, record, 'merged', { to: String(target.ticket_no) });
    await writeEvent(all, target, 'merged', { from: String(record.ticket_no) });
  },
};
