import { inject, afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../../src/server/db/pool.ts';

const db = openPool({ name: 'tried', url: inject('databaseUrl'), size: 8 });
const other = openPool({ name: 'other', url: inject('databaseUrl'), size: 2 });
beforeAll(() =>
  db.query(
    'drop table if exists public.shared_try; create table public.shared_try (name text primary key, size integer check (size < 100))',
  ),
);
afterAll(async () => {
  await db.query('drop table public.shared_try');
  await Promise.all([db.close(), other.close()]);
});

const add = (name: string, size = 1) =>
  db.query<{ name: string; xmin: string }>({
    text: 'insert into public.shared_try (name, size) values ($1, $2) returning name, xmin::text',
    name: 'shared_try',
    values: [name, size],
    shares: true,
  });
const stored = async () =>
  (await db.query<{ name: string }>('select name from public.shared_try order by name')).map(({ name }) => name);
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(3, '0')}`);

test('concurrent writes share a transaction, and each gets its own answer', async () => {
  const asked = names('a', 200);
  const answers = (await Promise.all(asked.map((name) => add(name)))).map(([row]) => row!);
  expect(answers.map(({ name }) => name)).toEqual(asked);
  expect(await stored()).toEqual(asked);
  // Four find nobody at work and go alone; of the others up to sixteen go together.
  expect(new Set(answers.map(({ xmin }) => xmin)).size).toBeLessThan(30);
  const [alone] = await add('alone');
  expect(answers.some(({ xmin }) => xmin === alone!.xmin)).toBe(false);
});

test('a refused write fails alone; the others of its transaction are stored', async () => {
  const results = await Promise.allSettled(names('b', 100).map((name, at) => add(name, at % 10 === 7 ? 500 : 1)));
  for (const [at, result] of results.entries())
    if (at % 10 === 7) expect(result).toMatchObject({ status: 'rejected', reason: { code: '23514' } });
    else expect(result).toMatchObject({ status: 'fulfilled', value: [{ name: names('b', 100)[at] }] });
  expect((await stored()).filter((name) => name.startsWith('b'))).toHaveLength(90);
  await expect(Promise.all([...names('c', 10), 'alone'].map((name) => add(name)))).rejects.toMatchObject({
    code: '23505',
  });
});

test('a write waiting for a lock does not delay the others', async () => {
  const held = await other.connect();
  await held.query(`begin; insert into public.shared_try (name) values ('d held')`);
  let free = false;
  // More of them than go at once: each waits until the other transaction has ended.
  const waiting = Array.from({ length: 5 }, () =>
    add('d held').catch((error: unknown) => (free ? (error as { code: string }).code : 'too early')),
  );
  await Promise.all(names('d', 40).map((name) => add(name)));
  free = true;
  await held.query('commit');
  held.release();
  expect(await Promise.all(waiting)).toEqual(Array(5).fill('23505'));
});

test('after a lost connection no write is wrongly reported as stored, and nothing is stored twice', async () => {
  const asked = names('e', 120);
  const results = Promise.allSettled(asked.map((name) => add(name)));
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mainstay' and pid <> pg_backend_pid() and query like '%shared_try%'`,
  );
  const told = await results;
  // Reads run again where their connection was ended, so that no ended one is left for the insert below.
  await Promise.all(Array.from({ length: 8 }, () => db.query('select 1')));
  const there = new Set(await stored());
  for (const [at, result] of told.entries())
    if (result.status === 'fulfilled') expect(there.has(asked[at]!)).toBe(true);
    else expect(result.reason).toMatchObject({ status: 503 });
  expect(await add('e after')).toHaveLength(1);
});
