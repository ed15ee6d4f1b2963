import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { PackedScreens } from './packed_screens.ts';
import { lowerPriority } from './priority.ts';
import type { ReadTask } from './read_task.ts';
import type { CellError } from './cell_error.ts';
import type { WorkerTask } from './worker_task.ts';

/** The kinds of task. */
export type RunTask = WorkerTask | ErrorSheetTask | ReadTask;

export interface ErrorSheetTask {
  kind: 'error_sheet';
  path: string;
  /** Name of the sheet that was read. */
  sheet: string;
  errors: CellError[];
}

/** The server's messages to a process: a task with its number, or a message to the task of that number. */
export type ToProcess = { of: number; task: RunTask } | { of: number; word: unknown };

/** A process's messages: a message of its task, or that the task has ended, with the heap size in bytes. */
export type FromProcess = { of: number; said: unknown } | { of: number; ended: true; heap: number; fault?: string };

/** A running task. */
export interface RunningTask {
  /** Sends a message to the task. */
  post(message: unknown): void;
  /** Ends the task and its process at once. */
  stop(): void;
  /** Resolves when the task has ended, with the error of its process, if any. */
  ended: Promise<{ fault?: string }>;
}

/** It uses 80 MB or more; it ends after this idle time. */
const IDLE_MS = 30_000;
/** A process whose heap exceeds this ends, to release its memory. */
const KEPT_HEAP_BYTES = 200 * 1024 * 1024;
const OLD_SPACE_MB = 1_536;

/**
 * Processes for imports and exports. Not threads: the threads of one process share its garbage collector and compiler
 * threads, which run at the server's priority, however low the priority of the worker thread. Starting a process takes
 * over half a second (it loads the records engine), more than a small sheet itself: an idle one is kept for a while and
 * takes the next task.
 */
export class RunProcesses {
  readonly #module: URL;
  readonly #processes = new Set<ChildProcess>();
  /** The screens that each process received last. */
  readonly #screens = new WeakMap<ChildProcess, PackedScreens>();
  #free: { child: ChildProcess; timer: NodeJS.Timeout } | null = null;
  #tasks = 0;

  /** @param module receives `ToProcess` messages, sends `FromProcess` messages, and ends when the server is gone */
  constructor(module = new URL('./run_process.ts', import.meta.url)) {
    this.#module = module;
  }

  /** A task is expected: a process loads in advance. */
  expect(): void {
    if (this.#free) return;
    try {
      this.#release(this.#make(), 0);
    } catch {
      // The machine cannot start another process: the task retries and reports it.
    }
  }

  /** Starts a task; `heard` receives its messages. */
  start(task: RunTask, heard: (message: never) => void): RunningTask {
    let child: ChildProcess;
    try {
      child = this.#take();
    } catch (error) {
      return {
        post: () => undefined,
        stop: () => undefined,
        ended: Promise.resolve({ fault: `No process could be started: ${String(error)}` }),
      };
    }
    const of = ++this.#tasks;
    const post = (message: ToProcess) => {
      // A process that has just ended reports it itself.
      if (child.connected) child.send(message, () => undefined);
    };
    const ended = new Promise<{ fault?: string }>((resolve) => {
      const leave = (fault?: string) => {
        child.off('message', onMessage);
        child.off('error', broke);
        child.off('exit', gone);
        resolve(fault === undefined ? {} : { fault });
      };
      const broke = (error: Error) => leave(error.stack ?? error.message);
      const gone = (code: number | null, signal: string | null) =>
        leave(`The process ended before its work did (${signal ?? `code ${code}`}).`);
      const onMessage = (message: FromProcess) => {
        if (message.of !== of) return;
        if (!('ended' in message)) return heard(message.said as never);
        leave(message.fault);
        this.#release(child, message.heap);
      };
      child.on('error', broke);
      child.on('exit', gone);
      child.on('message', onMessage);
    });
    post({ of, task: this.#unlessKnown(child, task) });
    return { post: (word) => post({ of, word }), stop: () => void child.kill('SIGKILL'), ended };
  }

  /** Ends all processes when the server shuts down. */
  async close(): Promise<void> {
    if (this.#free) clearTimeout(this.#free.timer);
    this.#free = null;
    await Promise.all(
      [...this.#processes].map((child) => {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.ref();
        child.kill('SIGKILL');
        return gone;
      }),
    );
  }

  /** The task without the screens that the process already has from the previous one: they are megabytes. */
  #unlessKnown(child: ChildProcess, task: RunTask): RunTask {
    if (!('screens' in task) || task.screens === null) return task;
    if (this.#screens.get(child) === task.screens) return { ...task, screens: null };
    this.#screens.set(child, task.screens);
    return task;
  }

  #take(): ChildProcess {
    if (this.#free?.child.connected) {
      const { child, timer } = this.#free;
      clearTimeout(timer);
      this.#free = null;
      return child;
    }
    return this.#make();
  }

  /** @throws if the system cannot start more processes */
  #make(): ChildProcess {
    const child = fork(this.#module, {
      execArgv: [`--max-old-space-size=${OLD_SPACE_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // It does not keep the server running.
    child.unref();
    child.channel?.unref();
    // A failed start is reported as an error.
    if (child.pid !== undefined) {
      this.#processes.add(child);
      lowerPriority(child.pid);
    }
    child.once('exit', () => {
      this.#processes.delete(child);
      if (this.#free?.child !== child) return;
      clearTimeout(this.#free.timer);
      this.#free = null;
    });
    // Each task receives it too; without a listener it would end the server.
    child.on('error', () => undefined);
    return child;
  }

  #release(child: ChildProcess, heap: number): void {
    if (this.#free || heap > KEPT_HEAP_BYTES) return void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      this.#free = null;
      child.kill('SIGKILL');
    }, IDLE_MS).unref();
    this.#free = { child, timer };
  }
}
