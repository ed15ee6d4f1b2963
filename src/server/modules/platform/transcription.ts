import type { Session } from '../../access/context.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import type { ActionItem } from '../../platform/transcription/tasks.ts';
import { notifyTasks } from '../../platform/transcription/tasks.ts';

/** The action items assigned by a save in progress, and their record. */
const giving = new WeakMap<Session, { id: number | null; items: ActionItem[] }>();

const itemsOf = (record: Record<string, unknown>): ActionItem[] => (record.action_items as ActionItem[] | null) ?? [];

const UNDER_WAY = new Set(['queued', 'running']);

/** Open items that were unassigned or assigned to somebody else before. */
function newlyGiven(now: ActionItem[], before: ActionItem[]): ActionItem[] {
  return now.filter(
    ({ id, owner_id: who, done }) =>
      who && done !== true && !before.some((one) => id !== undefined && one.id === id && one.owner_id === who),
  );
}

/**
 * Recordings: action items are assigned to people who see the recording; a running transcription cannot lose its file.
 */
export default defineHooks({
  /** Assignees of action items get access to the recording. */
  fill(session, record, stored) {
    giving.set(session, { id: stored?.id ?? null, items: newlyGiven(itemsOf(record), stored ? itemsOf(stored) : []) });
    const people = itemsOf(record).flatMap(({ owner_id: who }) => who ?? []);
    if (record.visibility !== 'participants' || people.length === 0) return {};
    return { participants: [...new Set([...((record.participants as number[] | null) ?? []), ...people])] };
  },
  check(session, record) {
    const others =
      record.visibility === 'private'
        ? itemsOf(record).flatMap(({ owner_id: who, done }, at) =>
            who && who !== session.employeeId && done !== true ? [at] : [],
          )
        : [];
    if (others.length > 0)
      return others.map((at) => ({
        field: `action_items.${at}.owner_id`,
        message:
          'This person cannot see a recording that is only yours. Choose another "For whom", or leave the person out.',
      }));
    return [];
  },
  saved: async (session, record, { notifications }) => {
    const under = giving.get(session);
    giving.delete(session);
    if (under && (under.id === null || under.id === record.id))
      await notifyTasks(notifications, session, record, under.items);
  },
  leave: (_session, stored, how) =>
    how !== 'activate' && UNDER_WAY.has(String(stored.state)) ? 'An engine is working on it. Cancel that first.' : null,
});
