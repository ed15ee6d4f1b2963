import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import { isOnDevice } from '../fields/files/stored_file.ts';

/** The senders of the open questionnaires, by the key under which the browser stores their answers. */
const open = new Map<string, () => Promise<void>>();

/** The storage key for this person's answers to the questionnaire at an address. */
export const answersKey = (address: string): string => `answers.${currentSession().userId}.${address}`;

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
export async function saveAnswers<Saved>(
  address: string,
  answers: readonly { value: unknown }[],
  entityId: number | null = currentSession().entityId,
): Promise<Saved> {
  const sent = answers.some(({ value }) => Array.isArray(value) && value.some(isOnDevice))
    ? await (await import('../offline/waiting_files.ts')).answersWithFiles(answers, entityId)
    : answers;
  return api.patch<Saved>(address, { answers: sent }, { quiet: true, ...(entityId !== null && { entityId }) });
}

/** The files of this device in this person's answers that are not sent yet. */
export function filesOfAnswers(): Set<number> {
  const kept = Object.keys(localStorage).filter((key) => addressOf(key) !== null);
  return new Set(kept.flatMap((key) => storedAnswers(key).flatMap(({ value }) => [value].flat().filter(isOnDevice))));
}

function storedAnswers(key: string): { value: unknown }[] {
  try {
    const answers: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(answers) ? (answers as { value: unknown }[]) : [];
  } catch {
    return [];
  }
}

/**
 * Sends all answers that this person has given on this device, including those of closed pages. Answers that cannot be
 * sent stay stored.
 */
export async function sendAnswers(): Promise<void> {
  await Promise.all([...open.values()].map((send) => send()));
  for (const key of Object.keys(localStorage)) {
    const address = addressOf(key);
    if (address === null || open.has(key)) continue;
    const kept = localStorage.getItem(key);
    try {
      await saveAnswers(address, storedAnswers(key));
      if (localStorage.getItem(key) === kept) localStorage.removeItem(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
