import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';

/** A thread that begins when it is first asked something, and goes when nobody has needed it for a while. */
export interface IdleWorker<Q, A> {
  /** Rejects with what the thread said of a fault; `signal` ends the thread, and with it all it was asked. */
  ask(question: Q, signal?: AbortSignal): Promise<A>;
  close(): Promise<void>;
}

/** It holds 60 MB and more; it goes after so long. */
const IDLE_MS = 30_000;

/**
 * The thread gets `{ id, question }` and posts `{ id, answer }` or `{ id, error }`.
 * @param name what a fault says has ended
 */
export function createIdleWorker<Q, A>(module: URL, name: string, resourceLimits?: ResourceLimits): IdleWorker<Q, A> {
  const waiting = new Map<number, { resolve: (answer: A) => void; reject: (error: Error) => void }>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let next = 0;

  function failAll(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function running(): Worker {
    if (worker) return worker;
    const started = new Worker(module, resourceLimits && { resourceLimits });
    started.unref();
    started.on('message', ({ id, answer, error }: { id: number; answer?: A; error?: string }) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (answer !== undefined) call?.resolve(answer);
      else call?.reject(new Error(error));
      if (waiting.size > 0) return;
      idle = setTimeout(() => {
        worker = null;
        void started.terminate();
      }, IDLE_MS).unref();
    });
    started.on('error', (error) => {
      if (worker !== started) return;
      worker = null;
      failAll(error);
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = null;
      failAll(new Error(`${name} ended.`));
    });
    return (worker = started);
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    failAll(new Error(`${name} ended.`));
    await ending?.terminate();
  }

  return {
    async ask(question, signal) {
      clearTimeout(idle);
      const end = () => void stop();
      signal?.addEventListener('abort', end, { once: true });
      try {
        return await new Promise<A>((resolve, reject) => {
          const id = ++next;
          waiting.set(id, { resolve, reject });
          running().postMessage({ id, question });
        });
      } finally {
        signal?.removeEventListener('abort', end);
      }
    },
    close: stop,
  };
}
