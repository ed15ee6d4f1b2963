import { expect, test } from 'vitest';
import { fewAtATime, within } from '../../../../src/server/engine/dashboards/in_time.ts';
import { TileMemory } from '../../../../src/server/engine/dashboards/tile_memory.ts';

const of = (schema: string, ...types: string[]) => ({ schema, types });

/** A memory at a time of the test's choosing, and how often something was made. */
function remembering() {
  let now = 0;
  let made = 0;
  const memory = new TileMemory(() => now);
  return {
    memory,
    later: (milliseconds: number) => void (now += milliseconds),
    ask: (key: string, kept = of('acme', 'errand')) => memory.once(key, kept, () => Promise.resolve(++made)),
  };
}

test('an answer is cached for five seconds, per key', async () => {
  const { ask, later } = remembering();
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual([1, 1, 2]);
  later(4_999);
  expect(await ask('a')).toBe(1);
  later(1);
  expect(await ask('a')).toBe(3);
});

test('a change of a type drops its answers, for that client only', async () => {
  const { memory, ask } = remembering();
  await Promise.all([ask('a'), ask('b', of('acme', 'visit')), ask('c', of('zenith', 'errand'))]);
  memory.forget('acme', new Set(['errand', 'other']));
  expect([await ask('a'), await ask('b', of('acme', 'visit')), await ask('c', of('zenith', 'errand'))]).toEqual([
    4, 2, 3,
  ]);
});

test('failed answers are computed again', async () => {
  const { memory } = remembering();
  const failing = () => memory.once('a', of('acme'), () => Promise.reject(new Error('away')));
  await expect(failing()).rejects.toThrow('away');
  expect(await memory.once('a', of('acme'), () => Promise.resolve('there'))).toBe('there');
});

test('four are computed at a time, and answers keep their order', async () => {
  let running = 0;
  let max = 0;
  const answers = await fewAtATime([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], async (one) => {
    max = Math.max(max, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return one * 2;
  });
  expect([max, answers]).toEqual([4, [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]]);
});

test('a slow tile is cancelled, with advice', async () => {
  expect(await within(60_000, Promise.resolve('there'))).toBe('there');
  await expect(within(1, new Promise(() => undefined))).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('try again') as string,
  });
});
