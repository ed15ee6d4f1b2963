import type { Session } from '../../access/context.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import type { ActionItem } from '../../platform/transcription/tasks.ts';
import { tellTasks } from '../../platform/transcription/tasks.ts';

/** What a save that is under way gives to people, of which record. */
const giving = new WeakMap<Session, { id: number; items: ActionItem[] }>();

const itemsOf = (record: Record<string, unknown>): ActionItem[] => (record.action_items as ActionItem[] | null) ?? [];

const LOCKED = new Set(['reviewed', 'expired']);
const UNDER_WAY = new Set(['queued', 'running']);
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Open things that had nobody before, or somebody else. */
function newlyGiven(now: ActionItem[], before: ActionItem[]): ActionItem[] {
  return now.filter(
    ({ id, owner_id: who, done }) =>
      who && done !== true && !before.some((one) => id !== undefined && one.id === id && one.owner_id === who),
  );
}

/** Recordings: what was reviewed stays, what an engine works on is not taken away from it. */
export default defineHooks({
  /** Whoever has something to do is among those who see it. */
  fill(session, record, stored) {
    if (stored !== null) giving.set(session, { id: stored.id, items: newlyGiven(itemsOf(record), itemsOf(stored)) });
    const people = itemsOf(record).flatMap(({ owner_id: who }) => who ?? []);
    if (record.visibility !== 'participants' || people.length === 0) return {};
    return { participants: [...new Set([...((record.participants as number[] | null) ?? []), ...people])] };
  },
  check(session, record, stored) {
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
          'This person does not see a recording that is only yours. Choose another "For whom", or leave the person out.',
      }));
    if (stored === null) return [];
    const state = String(stored.state);
    if (!same(record.file, stored.file) && !['uploaded', 'failed', 'cancelled'].includes(state))
      return [
        { field: 'file', message: 'This recording has its text already. Add a new transcription for another one.' },
      ];
    if (LOCKED.has(state))
      for (const field of ['speakers', 'summary'])
        if (!same(record[field], stored[field]))
          return [
            {
              field,
              message:
                state === 'reviewed'
                  ? 'The text is reviewed and locked. Unlock it first.'
                  : 'The recording has expired; its text stays as it is.',
            },
          ];
    return [];
  },
  saved: async (session, record, { notifications, intake, enqueue }) => {
    const under = giving.get(session);
    giving.delete(session);
    const given = record.version === 1 ? newlyGiven(itemsOf(record), []) : under?.id === record.id ? under.items : [];
    if (record.state === 'uploaded')
      await intake(session.tenant, record.id, session.userId, (job, args, key) => enqueue(session, job, args, key));
    await tellTasks(notifications, session, record, given);
  },
  leave: (_session, stored, how) =>
    how !== 'activate' && UNDER_WAY.has(String(stored.state)) ? 'An engine is working on it. Cancel that first.' : null,
});
