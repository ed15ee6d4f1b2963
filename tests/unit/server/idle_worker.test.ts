import { afterEach, expect, test } from 'vitest';
import { createIdleWorker } from '../../../src/server/idle_worker.ts';

const THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, question }) => {
    if (question === 'end') process.exit(0);
    if (question === 'fault') parentPort.postMessage({ id, error: 'It is wrong.' });
    else if (question !== 'silence') parentPort.postMessage({ id, answer: question.toUpperCase() });
  });
`)}`,
);
const worker = createIdleWorker<string, string>(THREAD, 'The thread');
afterEach(() => worker.close());

test('answers come to who asked, faults too', async () => {
  expect(await Promise.all([worker.ask('a'), worker.ask('b')])).toEqual(['A', 'B']);
  await expect(worker.ask('fault')).rejects.toThrow('It is wrong.');
  expect(await worker.ask('c')).toBe('C');
});

test('a thread that ends or is ended fails what it was asked, and the next question begins another', async () => {
  await expect(worker.ask('end')).rejects.toThrow('The thread ended.');
  expect(await worker.ask('a')).toBe('A');
  await expect(worker.ask('silence', AbortSignal.timeout(50))).rejects.toThrow('The thread ended.');
  expect(await worker.ask('b')).toBe('B');
});
