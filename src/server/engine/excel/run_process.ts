/** A process for imports and exports: the server never waits for them. It runs one task after another. */
import { getHeapStatistics } from 'node:v8';
import type { FromProcess, ToProcess } from './run_processes.ts';
import type { ServerLink } from './worker_task.ts';

/** It receives messages while it is loading. */
const loading = import('./run_task.ts');
/** The server's messages to a task, by task number. */
const words = new Map<number, Inbox>();

/** Messages in order; the task waits for the next one. */
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
  // If the server is gone, messages are lost; this process is about to end.
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

// The server ends this process. A signal to all processes of a terminal or service reaches the server too, which
// decides when.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Nothing is written if the server is gone: the database rolls back what was not committed.
process.on('disconnect', () => process.exit(1));
