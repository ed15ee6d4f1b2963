import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bus } from '../../../src/server/services/live/bus.ts';
import { createBus } from '../../../src/server/services/live/bus.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';

let database: TestDatabase;
let bus: Bus;
/** Whether what was read at that very moment was used again when the connection was seen to be lost. */
const whenLost: boolean[] = [];

beforeAll(async () => {
  database = await testDatabase(true);
  bus = createBus({ warn: () => whenLost.push(isFresh(0)) });
});
afterAll(async () => {
  await bus.close();
  await database.close();
});

const secondsAgo = (seconds: number) => performance.now() - seconds * 1_000;
const isFresh = (seconds: number) => bus.isFresh(database.directory.main, secondsAgo(seconds));
const settled = async (wanted: boolean, seconds: number) => {
  const until = Date.now() + 60_000;
  while (isFresh(seconds) !== wanted && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  return isFresh(seconds);
};

describe('cached data', () => {
  test('is used again for a moment, even without announcements', () => {
    expect(isFresh(1)).toBe(true);
    expect(isFresh(8)).toBe(false);
  });

  test('is used longer while announcements are known to arrive, but not for ever', async () => {
    await bus.join(database.directory.main);
    expect(isFresh(8)).toBe(false);
    expect(await settled(true, 8)).toBe(true);
    expect(isFresh(29)).toBe(true);
    expect(isFresh(31)).toBe(false);
  });

  test('is dropped when they fail: announcements missed meanwhile are reported as a gap', async () => {
    expect(await settled(true, 8)).toBe(true);
    let gaps = 0;
    bus.onGap(() => gaps++);
    await database.directory.main.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mainstay listener' and datname = current_database()`,
    );
    const until = Date.now() + 60_000;
    while (gaps === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(gaps).toBe(1);
    expect(whenLost).toEqual([false]);
    expect(await settled(true, 8)).toBe(true);
    await bus.close();
    expect(await settled(false, 8)).toBe(false);
  });
});
