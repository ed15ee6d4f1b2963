import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';

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

/**
 * Sends all answers that this person has given on this device, including those of closed pages. Answers that cannot be
 * sent stay stored.
 */
export async function sendAnswers(): Promise<void> {
  await Promise.all([...open.values()].map((send) => send()));
  const begin = answersKey('');
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(begin) || open.has(key)) continue;
    const kept = localStorage.getItem(key);
    try {
      const answers: unknown = JSON.parse(kept ?? '[]');
      await api.patch(key.slice(begin.length), { answers }, { quiet: true });
      if (localStorage.getItem(key) === kept) localStorage.removeItem(key);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof SyntaxError)) throw error;
    }
  }
}
