import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import { isOnDevice } from '../fields/files/stored_file.ts';
import type { Waiting } from './answer_queue.ts';

/** The senders of the open questionnaires, by the key under which the browser stores their answers. */
const open = new Map<string, () => Promise<void>>();

/** The storage key for this person's answers to the questionnaire at an address. */
export const answersKey = (address: string): string => `answers.${currentSession().userId}.${address}`;

/**
 * Writes waiting answers to this device's database too: the browser writes its plain storage up to a minute later, and
 * loses it if the phone goes out before.
 */
export async function keepAnswers(key: string, answers: readonly Waiting[]): Promise<void> {
  const { storeAnswers } = await import('../offline/device_store.ts');
  await storeAnswers(key, answers).catch(() => undefined);
}

const broughtBack = new Map<number, Promise<void>>();

/** Brings back this person's answers that were only in the database when the browser was ended; once per page. */
export function bringBackAnswers(): Promise<void> {
  const { userId } = currentSession();
  const known = broughtBack.get(userId) ?? bringBack().catch(() => undefined);
  broughtBack.set(userId, known);
  return known;
}

async function bringBack(): Promise<void> {
  const { answerKeys, answersOnDevice } = await import('../offline/device_store.ts');
  for (const key of await answerKeys()) {
    if (addressOf(key) === null || open.has(key)) continue;
    const here = new Map(storedAnswers(key).map((one) => [one.code, one]));
    for (const one of ((await answersOnDevice(key)) ?? []) as Waiting[])
      if ((here.get(one.code)?.seq ?? 0) < one.seq) here.set(one.code, one);
    if (here.size > 0) localStorage.setItem(key, JSON.stringify([...here.values()]));
  }
}

/** This person's answers to the questionnaire at an address that are not sent yet. */
export const waitingAnswers = (address: string): readonly Waiting[] => storedAnswers(answersKey(address));

/**
 * Registers a questionnaire's sender, called before an action that may depend on its answers. @returns the unregister
 * function
 */
export function joinAnswers(key: string, send: () => Promise<void>): () => void {
  open.set(key, send);
  return () => {
    if (open.get(key) === send) open.delete(key);
  };
}

/** The address at which this person's answers under a key are saved; null = they are not this person's. */
const addressOf = (key: string): string | null => {
  const begin = answersKey('');
  return key.startsWith(begin) ? key.slice(begin.length) : null;
};

/** Saves answers; files of this device are sent first. @throws ApiError */
export async function saveAnswers<Saved extends { data: { answers: readonly { code: string }[] } }>(
  address: string,
  answers: readonly { value: unknown }[],
  entityId: number | null = currentSession().entityId,
): Promise<Saved> {
  const sent = answers.some(({ value }) => Array.isArray(value) && value.some(isOnDevice))
    ? await (await import('../offline/waiting_files.ts')).answersWithFiles(answers, entityId)
    : answers;
  const options = { quiet: true, ...(entityId !== null && { entityId }) };
  const saved = await api.patch<Saved>(address, { answers: sent }, options);
  const { noteAnswers } = await import('../offline/packet_answers.ts');
  await noteAnswers(address, saved.data.answers);
  return saved;
}

/** The files of this device in this person's answers that are not sent yet. */
export function filesOfAnswers(): Set<number> {
  const kept = Object.keys(localStorage).filter((key) => addressOf(key) !== null);
  return new Set(kept.flatMap((key) => storedAnswers(key).flatMap(({ value }) => [value].flat().filter(isOnDevice))));
}

function storedAnswers(key: string): Waiting[] {
  try {
    const answers: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(answers) ? (answers as Waiting[]) : [];
  } catch {
    return [];
  }
}

/**
 * Sends all answers that this person has given on this device, including those of closed pages. Answers that cannot be
 * sent stay stored.
 */
export async function sendAnswers(): Promise<void> {
  await bringBackAnswers();
  await Promise.all([...open.values()].map((send) => send()));
  for (const key of Object.keys(localStorage)) {
    const address = addressOf(key);
    if (address === null || open.has(key)) continue;
    const kept = localStorage.getItem(key);
    try {
      await saveAnswers(address, storedAnswers(key));
      if (localStorage.getItem(key) !== kept) continue;
      localStorage.removeItem(key);
      await keepAnswers(key, []);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
