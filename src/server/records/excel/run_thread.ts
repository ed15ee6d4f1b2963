/** A thread for imports and exports: the server's own never waits for them. It does one task after another. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import { getHeapStatistics } from 'node:v8';
import { errorSheet } from './error_sheet.ts';
import { runExport } from './export_run.ts';
import { runImport } from './import_run.ts';
import type { ThreadTask } from './run_threads.ts';

async function perform(task: ThreadTask, port: MessagePort): Promise<void> {
  if (task.kind === 'error_sheet') port.postMessage({ bytes: await errorSheet(task.path, task.errors) });
  else if (task.kind === 'export') await runExport(task, port);
  else await runImport(task, port);
}

/**
 * People who wait for a page come before people who wait for a sheet: where processors are short, this thread yields. Linux
 * alone has priorities of threads; elsewhere it is as the others.
 */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (Number.isInteger(thread) && thread !== process.pid) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where it is not allowed.
  }
}

yieldToOthers();
parentPort!.on('message', ({ task, port }: { task: ThreadTask; port: MessagePort }) => {
  perform(task, port)
    .then(() => null, (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)))
    .then((fault) => {
      port.postMessage({ ended: true, heap: getHeapStatistics().total_heap_size, ...(fault !== null && { fault }) });
      port.close();
    }, () => undefined);
});
