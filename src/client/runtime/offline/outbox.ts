import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import { createStore } from '../../app/store.ts';
import { sendAnswers } from '../questionnaire/answers_on_the_way.ts';
import type { WaitingAct } from './device_store.ts';
import { removeAct, storeAct, storedActs } from './device_store.ts';
import { withValues } from './edited_act.ts';
import { noteInPacket } from './packet_answers.ts';
import { contentsOf, forgetSent, sendFilesOf } from './waiting_files.ts';

type Outcome = { key: string } & (
  | { state: 'done'; id: number }
  | { state: 'waits' }
  | { state: 'needs_you'; code: string; message: string; theirs: Record<string, unknown> }
);

/** A refused action as the server stores it. */
type Refused = Pick<WaitingAct, 'key' | 'type' | 'title' | 'do' | 'input'> & {
  id: number | null;
  done_at: string;
  message: string;
  theirs: Record<string, unknown>;
  by: number;
};

/** Refusals that the server does not store. */
const NOT_KEPT = ['file_missing', 'key_reused'];
/** The maximum number of refused actions in the server's list. */
const MAX_LISTED = 200;

/** The number of actions per call, and the delay before a retry if the server is unreachable. */
const ACTS_PER_CALL = 50;
const AGAIN_MS = 30_000;

/** The waiting actions of the signed-in person on this device, in order. */
export const waitingActs = createStore<WaitingAct[]>([]);

/** By how many seconds the clock of this device is ahead; 0 = correct. */
export const clockAhead = createStore(0);

/** Reads what waits anew. */
async function readOutbox(): Promise<void> {
  const { userId } = currentSession();
  waitingActs.set((await storedActs()).filter(({ person }) => person === userId));
}

type NewAct = Pick<WaitingAct, 'type' | 'id' | 'clientId' | 'title' | 'do' | 'input'> & { key?: string };

/** Stores an action on this device until it can be sent. */
export async function keepAct(act: NewAct): Promise<void> {
  const { userId, entityId } = currentSession();
  await storeAct({ key: crypto.randomUUID(), ...act, person: userId, entityId, at: new Date().toISOString() });
  await readOutbox();
  again();
}

let timer: ReturnType<typeof setTimeout> | undefined;
function again(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendOutbox(), AGAIN_MS);
}

/** Whether an action can be sent: no earlier one on its record needs a decision. */
function isFree(act: WaitingAct, all: readonly WaitingAct[]): boolean {
  return !all.some(
    (other) =>
      other.needs !== undefined &&
      other.seq <= act.seq &&
      (other === act ||
        (other.id !== undefined && other.type === act.type && other.id === act.id) ||
        (act.clientId !== undefined && [other.key, other.clientId].includes(act.clientId))),
  );
}

/** The actions of the next call: those before the first one with files, or else that one with its files. */
async function nextActs(free: readonly WaitingAct[]): Promise<WaitingAct[]> {
  const first = free[0];
  if (!first) return [];
  const same = free.filter(({ entityId }) => entityId === first.entityId).slice(0, ACTS_PER_CALL);
  const files = same.findIndex(({ input }) => contentsOf(input).length > 0);
  if (files > 0) return same.slice(0, files);
  if (files < 0) return same;
  try {
    await sendFilesOf(first.input, first.entityId);
  } catch (error) {
    if (!(error instanceof ApiError) || !isRefusal(error)) throw error;
    // The file itself was refused: the person is asked, and the other actions continue.
    await storeAct({ ...first, needs: { message: error.message, theirs: {} } });
    return nextActs(free.slice(1));
  }
  return [first];
}

/** Errors that will not go away by sending the same content again. */
const isRefusal = ({ status }: ApiError): boolean => [403, 404, 413, 415, 422].includes(status);

/**
 * Sends the waiting actions in order; one tab at a time. Because each action has a key, sending it twice executes it
 * once.
 */
export async function sendOutbox(): Promise<void> {
  if (!navigator.locks) return sendAll();
  await navigator.locks.request('outbox', sendAll);
}

async function sendAll(): Promise<void> {
  for (;;) {
    await readOutbox();
    const all = waitingActs.get();
    // Answers are sent before the transition that submits them; those of a closed page wait for no action.
    await sendAnswers();
    let acts: WaitingAct[];
    let outcomes: Outcome[];
    try {
      acts = await nextActs(all.filter((act) => isFree(act, all)));
      if (acts.length === 0) {
        await readOutbox();
        return;
      }
      const sent = acts.map(({ key, type, id, clientId, do: name, input, at, title, instead }) => ({
        key,
        type,
        ...(id !== undefined && { id }),
        ...(clientId !== undefined && { client_id: clientId }),
        do: name,
        input,
        at,
        title: title.slice(0, 200),
        ...(instead !== undefined && { instead }),
      }));
      const options = { quiet: true, entityId: acts[0]!.entityId };
      const now = new Date().toISOString();
      const answer = await api.post<{ data: Outcome[]; clock_ahead?: number }>(
        '/tapi/offline',
        { acts: sent, now },
        options,
      );
      outcomes = answer.data;
      clockAhead.set(answer.clock_ahead ?? 0);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      again();
      return;
    }
    for (const outcome of outcomes) {
      const act = acts.find(({ key }) => key === outcome.key);
      if (act && outcome.state === 'done') {
        await noteInPacket(act.type, outcome.id, act);
        await removeAct(act.seq);
      }
      if (act && outcome.state === 'needs_you')
        await storeAct({
          ...act,
          needs: {
            message: outcome.message,
            theirs: outcome.theirs,
            ...(!NOT_KEPT.includes(outcome.code) && { onServer: true }),
          },
        });
    }
    await forgetSent(new Set((await storedActs()).flatMap(({ input }) => contentsOf(input))));
  }
}

/**
 * Loads the person's refused actions from other devices, which can be resolved here too, and removes those resolved
 * elsewhere.
 */
export async function syncRefused(): Promise<void> {
  const { userId, entityId } = currentSession();
  const { data } = await api.get<{ data: Refused[] }>('/tapi/offline/refused', undefined, { quiet: true });
  await (navigator.locks
    ? navigator.locks.request('outbox', () => merge(data, userId, entityId))
    : merge(data, userId, entityId));
  await readOutbox();
}

async function merge(data: readonly Refused[], userId: number, entityId: number | null): Promise<void> {
  const own = data.filter(({ by }) => by === userId);
  const here = (await storedActs()).filter((act) => act.person === userId && act.entityId === entityId);
  const names = (act: WaitingAct) => [act.key, act.instead];
  for (const act of here)
    if (act.needs?.onServer && data.length < MAX_LISTED && !own.some(({ key }) => names(act).includes(key)))
      await removeAct(act.seq);
  for (const { key, type, id, title, do: name, input, done_at: at, message, theirs } of own)
    if (!here.some((act) => names(act).includes(key)))
      await storeAct({
        key,
        person: userId,
        entityId,
        type,
        ...(id !== null && { id }),
        title,
        do: name,
        input,
        at,
        needs: { message, theirs, onServer: true },
      });
}

/** The resolution of an action that needs a decision: their own values after all, the others' values, or a retry. */
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
  if (isNothing) await giveUp(act);
  else await storeDecided({ ...act, input });
  await sendOutbox();
}

/** Sends an action that needs a decision again, with the person's changes. */
export async function sendEdited(act: WaitingAct, values: Readonly<Record<string, unknown>>): Promise<void> {
  const { needs: _needs, ...rest } = act;
  await storeDecided({ ...rest, input: withValues(act, values) });
  await sendOutbox();
}

async function storeDecided(act: WaitingAct): Promise<void> {
  // The key of a refused action is not stored; a new record is identified by its key.
  if (act.do === 'create') await storeAct(act);
  else await storeAct({ ...act, key: crypto.randomUUID(), instead: act.instead ?? act.key });
}

/** Removes an action here, and on the server, if it is stored there as refused. */
async function giveUp(act: WaitingAct): Promise<void> {
  const options = { quiet: true, entityId: act.entityId };
  await api.delete(`/tapi/offline/refused/${act.instead ?? act.key}`, options).catch(() => undefined);
  await removeAct(act.seq);
  // Transitions of a record that will not be created are obsolete.
  if (act.do === 'create')
    for (const step of await storedActs()) if (step.clientId === act.key) await removeAct(step.seq);
}

addEventListener('online', () => void sendOutbox());
