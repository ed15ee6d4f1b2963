import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { PackedScreens } from './packed_screens.ts';
import { lowerPriority } from './priority.ts';
import type { ReadTask } from './read_task.ts';
import type { CellError } from './cell_error.ts';
import type { WorkerTask } from './worker_task.ts';

/** What a process can be asked for. */
export type RunTask = WorkerTask | ErrorSheetTask | ReadTask;

export interface ErrorSheetTask {
  kind: 'error_sheet';
  path: string;
  /** Name of the sheet that was read. */
  sheet: string;
  errors: CellError[];
}

/** What the server sends a process: a task with its number, or a word to the task of that number. */
export type ToProcess = { of: number; task: RunTask } | { of: number; word: unknown };

/** What a process answers: something its task has to say, or that it has ended, with its heap in bytes. */
export type FromProcess = { of: number; said: unknown } | { of: number; ended: true; heap: number; fault?: string };

/** A task while a process does it. */
export interface RunningTask {
  /** Says something to the task. */
  post(message: unknown): void;
  /** Ends the task and its process at once. */
  stop(): void;
  /** Resolves when the task has ended, with what went wrong with its process, if anything did. */
  ended: Promise<{ fault?: string }>;
}

/** It holds 80 MB and more; it goes after so long. */
const IDLE_MS = 30_000;
/** A process that has grown beyond this gives its memory back by ending. */
const KEPT_HEAP_BYTES = 200 * 1024 * 1024;
const OLD_SPACE_MB = 1_536;

/**
 * Processes for imports and exports. Not threads: threads of one process share those that collect its garbage and
 * compile its code, and these work at the server's priority, however low that of the thread they work for.
 * To begin one takes over half a second (it loads the records engine), more than a small sheet itself: one that has become
 * free is kept for a while and takes the next task.
 */
export class RunProcesses {
  readonly #module: URL;
  readonly #processes = new Set<ChildProcess>();
  /** What each has received last. */
  readonly #screens = new WeakMap<ChildProcess, PackedScreens>();
  #free: { child: ChildProcess; timer: NodeJS.Timeout } | null = null;
  #tasks = 0;

  /** @param module receives what `ToProcess` says, answers what `FromProcess` says, and ends when the server is gone */
  constructor(module = new URL('./run_process.ts', import.meta.url)) {
    this.#module = module;
  }

  /** A task is about to come: a process for it loads what it needs meanwhile. */
  expect(): void {
    if (this.#free) return;
    try {
      this.#release(this.#make(), 0);
    } catch {
      // The machine has no room for another: the task tries again and says so.
    }
  }

  /** Begins a task; `heard` gets what it posts. */
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
      // One that has just gone says so itself.
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

  /** Ends all of them, for the shutdown of the server. */
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

  /** The task without the screens that the process had with the one before: they are megabytes. */
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

  /** @throws when the system begins no more processes */
  #make(): ChildProcess {
    const child = fork(this.#module, {
      execArgv: [`--max-old-space-size=${OLD_SPACE_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // It does not keep the server from ending.
    child.unref();
    child.channel?.unref();
    // One that could not be started says so as an error.
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
    // Each task hears of it too; without anybody listening it would end the server.
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
