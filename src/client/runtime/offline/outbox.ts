import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import { createStore } from '../../app/store.ts';
import type { WaitingAct } from './device_store.ts';
import { removeAct, storeAct, storedActs } from './device_store.ts';

type Outcome = { key: string } & (
  | { state: 'done' | 'waits' }
  | { state: 'needs_you'; message: string; theirs: Record<string, unknown> }
);

/** Acts of one call, and how long until it is tried again where nothing answers. */
const ACTS_PER_CALL = 50;
const AGAIN_MS = 30_000;

/** What waits on this device for the person who is signed in, in order. */
export const waitingActs = createStore<WaitingAct[]>([]);

/** Reads what waits anew. */
async function readOutbox(): Promise<void> {
  const { userId } = currentSession();
  waitingActs.set((await storedActs()).filter(({ person }) => person === userId));
}

/** Keeps an act on this device until it can be sent. */
export async function keepAct(act: Pick<WaitingAct, 'type' | 'id' | 'title' | 'do' | 'input'>): Promise<void> {
  const { userId, entityId } = currentSession();
  await storeAct({ ...act, key: crypto.randomUUID(), person: userId, entityId, at: new Date().toISOString() });
  await readOutbox();
  again();
}

let timer: ReturnType<typeof setTimeout> | undefined;
function again(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendOutbox(), AGAIN_MS);
}

/** Whether an act can be sent: no earlier one on its record needs its person. */
function isFree(act: WaitingAct, all: readonly WaitingAct[]): boolean {
  return !all.some(
    (other) => other.needs !== undefined && other.type === act.type && other.id === act.id && other.seq <= act.seq,
  );
}

/** Sends what waits, in order; one tab at a time. What is sent twice is done once: each act has a key. */
export async function sendOutbox(): Promise<void> {
  if (!navigator.locks) return sendAll();
  await navigator.locks.request('outbox', sendAll);
}

async function sendAll(): Promise<void> {
  for (;;) {
    await readOutbox();
    const all = waitingActs.get();
    const free = all.filter((act) => isFree(act, all));
    const acts = free.filter(({ entityId }) => entityId === free[0]?.entityId).slice(0, ACTS_PER_CALL);
    if (acts.length === 0) return;
    let outcomes: Outcome[];
    try {
      const sent = acts.map(({ key, type, id, do: name, input }) => ({ key, type, id, do: name, input }));
      const options = { quiet: true, entityId: acts[0]!.entityId };
      outcomes = (await api.post<{ data: Outcome[] }>('/tapi/offline', { acts: sent }, options)).data;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      again();
      return;
    }
    for (const outcome of outcomes) {
      const act = acts.find(({ key }) => key === outcome.key);
      if (act && outcome.state === 'done') await removeAct(act.seq);
      if (act && outcome.state === 'needs_you')
        await storeAct({ ...act, needs: { message: outcome.message, theirs: outcome.theirs } });
    }
  }
}

/** What becomes of an act that needs its person: their own values after all, the others' values, or the same again. */
export async function decideAct({ needs, ...act }: WaitingAct, choice: 'mine' | 'theirs' | 'again'): Promise<void> {
  const conflicts = needs?.theirs ?? {};
  const input = Object.fromEntries(
    Object.entries(act.input).flatMap(([field, value]) => {
      if (choice === 'again' || !(field in conflicts))
        return choice === 'theirs' && act.do !== 'change' ? [] : [[field, value]];
      return choice === 'mine' ? [[field, [conflicts[field], (value as unknown[])[1]]]] : [];
    }),
  );
  const isNothing =
    choice === 'theirs' &&
    (act.do !== 'change' || Object.keys(conflicts).length === 0 || Object.keys(input).length === 0);
  if (isNothing) await removeAct(act.seq);
  else await storeAct({ ...act, input, key: crypto.randomUUID() });
  await sendOutbox();
}

addEventListener('online', () => void sendOutbox());
