import type { AskOptions } from './feedback.ts';
import { dialogs, dialogsUsed } from './feedback.ts';

/** Other dialogs count upwards. */
let lastId = 0;

/** Asks for a text; null when the person cancels. Apart from the other dialogs, because few pages need it. */
export function askDialog(options: AskOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const id = --lastId;
    dialogsUsed.set(true);
    dialogs.set((old) => [
      ...old,
      { kind: 'ask', id, opener: document.activeElement, answer: resolve, resolve: () => resolve(null), ...options },
    ]);
  });
}
