import { afterEach, expect, test } from 'vitest';
import type { ThreadTask } from '../../../../../src/server/records/excel/run_threads.ts';
import { RunThreads } from '../../../../../src/server/records/excel/run_threads.ts';

const THREAD = new URL(`data:text/javascript,${encodeURIComponent(`
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ task, port }) => {
    if (task.path === 'crash') process.exit(1);
    if (task.path === 'throw') throw new Error('Out of something.');
    port.postMessage({ threadId });
    const end = (more) => port.postMessage({ ended: true, heap: task.path === 'much' ? 1e9 : 1e6, ...more });
    if (task.path === 'wait') port.on('message', (word) => end({ fault: word }));
    else end({});
  });
`)}`);
let threads = new RunThreads(THREAD);
afterEach(async () => {
  await threads.close();
  threads = new RunThreads(THREAD);
});

/** Does a task that its `path` describes; answers in which thread it was done. */
function start(path: string) {
  const heard: number[] = [];
  const running = threads.start({ kind: 'error_sheet', path, errors: [] } satisfies ThreadTask, ({ threadId }: { threadId: number }) => {
    heard.push(threadId);
  });
  return { ...running, thread: running.ended.then((end) => ({ ...end, thread: heard[0] })) };
}

test('a thread that has become free takes the next task; two tasks at once have one each', async () => {
  const first = (await start('a').thread).thread;
  expect((await start('b').thread).thread).toBe(first);
  const waiting = start('wait');
  const other = (await start('c').thread).thread;
  expect(other).not.toBe(first);
  waiting.post('said');
  expect(await waiting.thread).toEqual({ fault: 'said', thread: first });
  // One is kept, not two.
  expect((await start('d').thread).thread).toBe(other);
});

test('one that is expected takes the task that comes; there is one however often it is expected', async () => {
  threads.expect();
  threads.expect();
  const { thread } = await start('a').thread;
  expect((await start('b').thread).thread).toBe(thread);
});

test('one that has grown is not kept', async () => {
  const { thread } = await start('much').thread;
  expect((await start('a').thread).thread).not.toBe(thread);
});

test('one that ends or fails tells its task, and the next has another', async () => {
  expect((await start('crash').ended).fault).toBe('The thread ended before its work did.');
  expect((await start('throw').ended).fault).toContain('Out of something.');
  const waiting = start('wait');
  waiting.stop();
  expect((await waiting.ended).fault).toBe('The thread ended before its work did.');
  expect((await start('a').thread).thread).toBeTypeOf('number');
});
