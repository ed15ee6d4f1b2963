import type { AskOptions } from './feedback.ts';
import { dialogs, dialogsUsed } from './feedback.ts';

/** Ids of other dialogs count up. */
let lastId = 0;

/** Asks for a text; null if the person cancels. Separate from the other dialogs, because few pages need it. */
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
