/** A process for imports and exports: the server never waits for them. It does one task after another. */
import { getHeapStatistics } from 'node:v8';
import type { FromProcess, ToProcess } from './run_processes.ts';
import type { ServerLink } from './worker_task.ts';

/** While it loads it hears already. */
const loading = import('./run_task.ts');
/** What the server says to a task, by its number. */
const words = new Map<number, Inbox>();

/** Words in their order; who asks for the next waits for it. */
class Inbox {
  readonly #unheard: unknown[] = [];
  #waiting: ((word: unknown) => void) | null = null;

  put(word: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) waiting(word);
    else this.#unheard.push(word);
  }

  next(): Promise<unknown> {
    if (this.#unheard.length > 0) return Promise.resolve(this.#unheard.shift());
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

function post(message: FromProcess): void {
  // A server that is gone hears nothing; this process is about to end.
  if (process.connected) process.send!(message, undefined, undefined, () => undefined);
}

process.on('message', (message: ToProcess) => {
  const { of } = message;
  if ('word' in message) return words.get(of)?.put(message.word);
  const inbox = new Inbox();
  words.set(of, inbox);
  const server: ServerLink = { post: (said) => post({ of, said }), heard: () => inbox.next() };
  loading
    .then(({ perform }) => perform(message.task, server))
    .then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    )
    .then(
      (fault) => {
        words.delete(of);
        post({ of, ended: true, heap: getHeapStatistics().total_heap_size, ...(fault !== null && { fault }) });
      },
      () => undefined,
    );
});

// The server ends it. A signal to all processes of a terminal or a service comes to the server too, which says when.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Nothing is written for a server that is gone: what was not committed is undone by the database.
process.on('disconnect', () => process.exit(1));
