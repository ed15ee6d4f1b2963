import { errorSheet } from './error_sheet.ts';
import { runExport } from './export_run.ts';
import { runImport } from './import_run.ts';
import { readFileInto } from './read_file.ts';
import type { RunTask } from './run_processes.ts';
import type { ServerLink } from './worker_task.ts';

/** Runs a task in this process. */
export async function perform(task: RunTask, server: ServerLink): Promise<void> {
  if (task.kind === 'error_sheet') server.post({ bytes: await errorSheet(task.path, task.sheet, task.errors) });
  else if (task.kind === 'read') await readFileInto(task, server);
  else if (task.kind === 'export') await runExport(task, server);
  else await runImport(task, server);
}
