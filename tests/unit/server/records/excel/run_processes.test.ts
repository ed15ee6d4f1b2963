import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { RunTask } from '../../../../../src/server/engine/excel/run_processes.ts';
import { RunProcesses } from '../../../../../src/server/engine/excel/run_processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'mainstay-processes-'));
const MODULE = pathToFileURL(join(folder, 'process.mjs'));
writeFileSync(
  MODULE,
  `
  let now = null;
  const end = (more) => process.send({ of: now.of, ended: true, heap: now.task.path === 'much' ? 1e9 : 1e6, ...more });
  process.on('message', ({ of, task, word }) => {
    if (task === undefined) return of === now.of ? end({ fault: word }) : undefined;
    now = { of, task };
    if (task.path === 'crash') process.exit(1);
    if (task.path === 'throw') throw new Error('Out of something.');
    process.send({ of, said: { pid: process.pid, screens: task.screens } });
    if (task.path !== 'wait') end({});
  });
`,
);

let processes = new RunProcesses(MODULE);
afterEach(async () => {
  await processes.close();
  processes = new RunProcesses(MODULE);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Does a task that its `path` describes; answers in which process it was done. */
function start(path: string) {
  const heard: number[] = [];
  const running = processes.start(
    { kind: 'error_sheet', path, sheet: '', errors: [] } satisfies RunTask,
    ({ pid }: { pid: number }) => {
      heard.push(pid);
    },
  );
  return { ...running, heard, process: running.ended.then((end) => ({ ...end, pid: heard[0] })) };
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a free process takes the next task; two simultaneous tasks get one each', async () => {
  const first = (await start('a').process).pid;
  expect((await start('b').process).pid).toBe(first);
  const waiting = start('wait');
  const other = (await start('c').process).pid;
  expect(other).not.toBe(first);
  waiting.post('said');
  expect(await waiting.process).toEqual({ fault: 'said', pid: first });
  // A word to a task that has ended is not heard by the next.
  waiting.post('late');
  // One is kept, not two.
  expect(await start('d').process).toEqual({ pid: other });
});

test('the screens of a task are sent to its process once, and again after a change', async () => {
  const sent = async (screens: Uint8Array[]) => {
    const heard: unknown[] = [];
    const task = { kind: 'export', path: 'a', screens } as unknown as RunTask;
    await processes.start(task, (said: { screens: unknown }) => heard.push(said.screens)).ended;
    return heard[0];
  };
  const [one, other] = [[new Uint8Array([1])], [new Uint8Array([2])]];
  expect(await sent(one)).toEqual(one);
  expect(await sent(one)).toBeNull();
  expect(await sent(other)).toEqual(other);
  expect(await sent(one)).toEqual(one);
  // A process that has just begun has received nothing.
  await start('much').process;
  expect(await sent(one)).toEqual(one);
});

test('a process started in advance takes the next task; there is only one, however often it is requested', async () => {
  processes.expect();
  processes.expect();
  const { pid } = await start('a').process;
  expect((await start('b').process).pid).toBe(pid);
});

test('a process that has grown too much is not reused', async () => {
  const { pid } = await start('much').process;
  expect((await start('a').process).pid).not.toBe(pid);
});

test('a process that ends or fails reports its task, and the next task gets another one', async () => {
  expect((await start('crash').ended).fault).toBe('The process ended before its work did (code 1).');
  expect((await start('throw').ended).fault).toBe('The process ended before its work did (code 1).');
  const waiting = start('wait');
  waiting.stop();
  expect((await waiting.ended).fault).toBe('The process ended before its work did (SIGKILL).');
  expect((await start('a').process).pid).toBeTypeOf('number');
});

test('if none can be started, the task gets an error', async () => {
  // What is no file cannot be begun, which fails as it does where the system has no room for another.
  const none = new RunProcesses(new URL('data:text/javascript,'));
  none.expect();
  const running = none.start({ kind: 'error_sheet', path: 'a', sheet: '', errors: [] }, () => undefined);
  running.post('said');
  running.stop();
  expect((await running.ended).fault).toContain('No process could be started');
  await none.close();
});

test('it has a lower priority than the server, and ends with it', async () => {
  const before = getPriority();
  const waiting = start('wait');
  await vi.waitFor(() => expect(waiting.heard).toHaveLength(1));
  expect(getPriority(waiting.heard[0])).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  expect(getPriority()).toBe(before);
  await processes.close();
  expect((await waiting.ended).fault).toContain('SIGKILL');
  expect(alive(waiting.heard[0]!)).toBe(false);
});

test('the product’s process ends when the server is gone, and ignores the server’s signals', async () => {
  const child = fork(new URL('../../../../../src/server/engine/excel/run_process.ts', import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
  });
  const gone = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  // A task whose file is not there: it is told so, which shows that the process works.
  const answer = new Promise<{ of: number; fault?: string }>((resolve) =>
    child.once('message', resolve as (message: unknown) => void),
  );
  child.send({ of: 7, task: { kind: 'error_sheet', path: join(folder, 'none.xlsx'), sheet: '', errors: [] } });
  expect(await answer).toMatchObject({ of: 7, ended: true, fault: expect.stringContaining('ENOENT') as string });
  child.kill('SIGINT');
  child.kill('SIGTERM');
  const again = new Promise((resolve) => child.once('message', resolve));
  child.send({ of: 8, task: { kind: 'error_sheet', path: join(folder, 'none.xlsx'), sheet: '', errors: [] } });
  expect(await again).toMatchObject({ of: 8, ended: true });
  child.disconnect();
  expect(await gone).toBe(1);
});
