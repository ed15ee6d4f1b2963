import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzz, reportOf } from '../../fuzz/fuzz.ts';
import { operationsOf, undescribed } from '../../fuzz/operations.ts';
import type { Target } from '../../fuzz/target.ts';
import { startTarget } from '../../fuzz/target.ts';
import type { TestDatabase } from '../postgres.ts';
import { demoDatabase } from '../postgres.ts';
import { productScreens } from '../world.ts';

/** A few of the calls that `npm run fuzz` sends; always the same ones. */
const CALLS = 400;
const SEED = 20_260_401;

let database: TestDatabase;
let target: Target;

beforeAll(async () => {
  database = await demoDatabase(await productScreens());
  target = await startTarget({ ...database, hasDemo: true });
});
afterAll(async () => {
  await target.close();
  await database.close();
});

test('every route of the server is in the OpenAPI document', async () => {
  expect(undescribed(target, await operationsOf(target))).toEqual([]);
});

test('valid and invalid calls of all operations are answered, and reveal nothing about the server', async () => {
  const result = await fuzz(target, { calls: CALLS, seed: SEED });
  expect(
    result.faults.map(({ fault, curl, body }) => `${fault}\n${curl}\n→ ${body}`),
    reportOf(result),
  ).toEqual([]);
  const successes = [...result.statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0);
  expect(successes).toBeGreaterThan(CALLS / 20);
}, 240_000);
