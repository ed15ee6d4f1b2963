import { MessageChannel, Worker } from 'node:worker_threads';
import type { CellError } from './progress.ts';
import type { WorkerTask } from './worker_task.ts';

/** What a thread can be asked for. */
export type ThreadTask = WorkerTask | ErrorSheetTask;

export interface ErrorSheetTask {
  kind: 'error_sheet';
  path: string;
  errors: CellError[];
}

/** A task while a thread does it. */
export interface RunningTask {
  /** Says something to the task. */
  post(message: unknown): void;
  /** Ends the task and its thread at once. */
  stop(): void;
  /** Resolves when the task has ended, with what went wrong with its thread, if anything did. */
  ended: Promise<{ fault?: string }>;
}

/** It holds 60 MB and more; it goes after so long. */
const IDLE_MS = 30_000;
/** A thread that has grown beyond this gives its memory back by ending. */
const KEPT_HEAP_BYTES = 200 * 1024 * 1024;
const LIMITS = { maxOldGenerationSizeMb: 1_536 };

/**
 * Threads for imports and exports. To begin one takes over half a second (it loads the records engine), more than
 * a small sheet itself: one that has become free is kept for a while and takes the next task.
 */
export class RunThreads {
  readonly #module: URL;
  readonly #threads = new Set<Worker>();
  #free: { worker: Worker; timer: NodeJS.Timeout } | null = null;

  /** @param module posted `{ task, port }`; says on the port what it has to say and last `{ ended: true, heap, fault? }` */
  constructor(module = new URL('./run_thread.ts', import.meta.url)) {
    this.#module = module;
  }

  /** A task is about to come: a thread for it loads what it needs meanwhile. */
  expect(): void {
    if (!this.#free) this.#release(this.#make(), 0);
  }

  /** Begins a task; `heard` gets what it posts. */
  start(task: ThreadTask, heard: (message: never) => void): RunningTask {
    const worker = this.#take();
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<{ fault?: string }>((resolve) => {
      const leave = (fault?: string) => {
        worker.off('error', broke);
        worker.off('exit', gone);
        port1.close();
        resolve(fault === undefined ? {} : { fault });
      };
      const broke = (error: Error) => leave(error.stack ?? error.message);
      const gone = () => leave('The thread ended before its work did.');
      worker.on('error', broke);
      worker.on('exit', gone);
      port1.on('message', (message: { ended?: true; heap?: number; fault?: string }) => {
        if (!message.ended) return heard(message as never);
        leave(message.fault);
        this.#release(worker, message.heap ?? Infinity);
      });
    });
    port1.unref();
    worker.postMessage({ task, port: port2 }, [port2]);
    return { post: (message) => port1.postMessage(message), stop: () => void worker.terminate(), ended };
  }

  /** Ends all of them, for the shutdown of the server. */
  async close(): Promise<void> {
    if (this.#free) clearTimeout(this.#free.timer);
    this.#free = null;
    await Promise.all([...this.#threads].map((worker) => worker.terminate()));
  }

  #take(): Worker {
    if (this.#free) {
      const { worker, timer } = this.#free;
      clearTimeout(timer);
      this.#free = null;
      return worker;
    }
    return this.#make();
  }

  #make(): Worker {
    const worker = new Worker(this.#module, { resourceLimits: LIMITS });
    this.#threads.add(worker);
    worker.unref();
    worker.once('exit', () => {
      this.#threads.delete(worker);
      if (this.#free?.worker !== worker) return;
      clearTimeout(this.#free.timer);
      this.#free = null;
    });
    // Each task hears of it too; without anybody listening it would end the server.
    worker.on('error', () => undefined);
    return worker;
  }

  #release(worker: Worker, heap: number): void {
    if (this.#free || heap > KEPT_HEAP_BYTES) return void worker.terminate();
    const timer = setTimeout(() => {
      this.#free = null;
      void worker.terminate();
    }, IDLE_MS).unref();
    this.#free = { worker, timer };
  }
}
