/** A thread for imports and exports: the server's own never waits for them. It does one task after another. */
import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import { getHeapStatistics } from 'node:v8';
import { errorSheet } from './error_sheet.ts';
import { runExport } from './export_run.ts';
import { runImport } from './import_run.ts';
import { yieldThread } from './priority.ts';
import type { ThreadTask } from './run_threads.ts';

async function perform(task: ThreadTask, port: MessagePort): Promise<void> {
  if (task.kind === 'error_sheet') port.postMessage({ bytes: await errorSheet(task.path, task.errors) });
  else if (task.kind === 'export') await runExport(task, port);
  else await runImport(task, port);
}

yieldThread();
parentPort!.on('message', ({ task, port }: { task: ThreadTask; port: MessagePort }) => {
  perform(task, port)
    .then(() => null, (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)))
    .then((fault) => {
      port.postMessage({ ended: true, heap: getHeapStatistics().total_heap_size, ...(fault !== null && { fault }) });
      port.close();
    }, () => undefined);
});
