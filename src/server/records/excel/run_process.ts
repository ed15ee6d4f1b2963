/** A process for imports and exports: the server never waits for them. It does one task after another. */
import { getHeapStatistics } from 'node:v8';
import type { FromProcess, ToProcess } from './run_processes.ts';
import type { ServerLink } from './worker_task.ts';

/** While it loads it hears already. */
const loading = import('./run_task.ts');
const listeners = new Map<number, (word: unknown) => void>();

function tell(message: FromProcess): void {
  // A server that is gone hears nothing; this process is about to end.
  if (process.connected) process.send!(message, undefined, undefined, () => undefined);
}

process.on('message', (message: ToProcess) => {
  const { of } = message;
  if ('word' in message) return listeners.get(of)?.(message.word);
  /** What is said before the task listens waits for it. */
  const inbox: unknown[] = [];
  listeners.set(of, (word) => inbox.push(word));
  const server: ServerLink = {
    post: (said) => tell({ of, said }),
    listen: (listener) => {
      listeners.set(of, listener);
      for (const word of inbox.splice(0)) listener(word);
    },
  };
  loading
    .then(({ perform }) => perform(message.task, server))
    .then(() => null, (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)))
    .then((fault) => {
      listeners.delete(of);
      tell({ of, ended: true, heap: getHeapStatistics().total_heap_size, ...(fault !== null && { fault }) });
    }, () => undefined);
});

// The server ends it. A signal to all processes of a terminal or a service comes to the server too, which says when.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Nothing is written for a server that is gone: what was not committed is undone by the database.
process.on('disconnect', () => process.exit(1));
