import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestDatabase } from './postgres.ts';
import { COMPILE_CACHE } from './server_process.ts';

/**
 * Runs a program that does acts up to their steps (`killAt`) and is killed then. @returns which of the acts were killed
 * @param steps of each act, the step before which it is killed
 */
export async function killedProcess(
  program: string,
  { databaseUrl, dataDir }: Pick<TestDatabase, 'databaseUrl' | 'dataDir'>,
  steps: readonly number[],
  env: Record<string, string> = {},
): Promise<boolean[]> {
  const child = fork(program, {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SCHEMAS_DIR: join(import.meta.dirname, '../../schemas'),
      KILL_AT: steps.join(','),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let killed: boolean[] = [];
  child.once('message', (message) => (killed = message as boolean[]));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(killed).toHaveLength(steps.length);
  expect([code, signal]).toEqual(killed.includes(true) ? [null, 'SIGKILL'] : [0, null]);
  return killed;
}
