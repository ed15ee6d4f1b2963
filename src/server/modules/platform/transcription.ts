import type { WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../context.ts';
import { defineHooks } from '../../records/hooks.ts';

let intake: ((session: Session, record: WireRecord) => Promise<void>) | undefined;

/** Says what becomes of a recording once it is stored. */
export function onRecording(take: (session: Session, record: WireRecord) => Promise<void>): void {
  intake = take;
}

const LOCKED = new Set(['reviewed', 'expired']);
const UNDER_WAY = new Set(['queued', 'running']);
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Recordings: what was reviewed stays, what an engine works on is not taken away from it. */
export default defineHooks({
  check(_session, record, stored) {
    if (stored === null) return [];
    const state = String(stored.state);
    if (!same(record.file, stored.file) && !['uploaded', 'failed', 'cancelled'].includes(state)) return [{ field: 'file', message: 'This recording has its text already. Add a new transcription for another one.' }];
    if (LOCKED.has(state))
      for (const field of ['speakers', 'summary']) if (!same(record[field], stored[field])) return [{ field, message: state === 'reviewed' ? 'The text is reviewed and locked. Unlock it first.' : 'The recording has expired; its text stays as it is.' }];
    return [];
  },
  saved: async (session, record) => {
    if (record.state === 'uploaded') await intake?.(session, record);
  },
  leave: (_session, stored, how) => (how !== 'activate' && UNDER_WAY.has(String(stored.state)) ? 'An engine is working on it. Cancel that first.' : null),
});
