import { ApiError, api } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';

/** Sends what waits of the questionnaires that are open, by the key under which the browser keeps it. */
const open = new Map<string, () => Promise<void>>();

/** Under which the browser keeps the answers of this person to the questionnaire at an address. */
export const answersKey = (address: string): string => `answers.${currentSession().userId}.${address}`;

/** Has a questionnaire send its answers when something follows that may depend on them. @returns how to end that */
export function joinAnswers(key: string, send: () => Promise<void>): () => void {
  open.set(key, send);
  return () => {
    if (open.get(key) === send) open.delete(key);
  };
}

/**
 * Sends all answers that this person has given on this device, those of pages that were closed among them. What cannot be
 * sent stays where it is.
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
