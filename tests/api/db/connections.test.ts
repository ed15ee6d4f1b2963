import { inject, afterAll, expect, test } from 'vitest';
import { openPool } from '../../../src/server/db/pool.ts';

const db = openPool({ name: 'tried', url: inject('databaseUrl'), size: 3 });
afterAll(() => db.close());

const pid = async (on: { query: typeof db.query }) =>
  (await on.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;

test('connections are opened on demand up to their limit; further requests wait', async () => {
  expect(db.load()).toEqual({ connections: 0, idle: 0, waiting: 0 });
  const first = await pid(db);
  expect(await pid(db)).toBe(first);
  expect(db.load()).toEqual({ connections: 1, idle: 1, waiting: 0 });
  const held = await Promise.all([db.connect(), db.connect(), db.connect()]);
  const order: string[] = [];
  const late = ['a', 'b'].map(async (name) => {
    const connection = await db.connect();
    order.push(name);
    connection.release();
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([db.load(), order]).toEqual([{ connections: 3, idle: 0, waiting: 2 }, []]);
  held[1]!.release();
  await Promise.all(late);
  expect(order).toEqual(['a', 'b']);
  held[0]!.release();
  held[2]!.release();
  expect(db.load()).toEqual({ connections: 3, idle: 3, waiting: 0 });
  expect(new Set(await Promise.all(Array.from({ length: 30 }, () => pid(db)))).size).toBe(3);
});

test('a lost connection is replaced, and a failed one frees its slot', async () => {
  const before = await pid(db);
  await expect(db.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({ status: 503 });
  expect(await pid(db)).not.toBe(before);
  const away = openPool({ name: 'away', url: 'postgres://nobody@127.0.0.1:1/nothing', size: 2 });
  for (let at = 0; at < 5; at++) await expect(away.query('select 1')).rejects.toMatchObject({ status: 503 });
  expect(away.load()).toEqual({ connections: 0, idle: 0, waiting: 0 });
  await away.close();
});

test('a read is retried on another connection when its own ends; a write reports the error', async () => {
  await db.query('drop sequence if exists public.tries; create sequence public.tries');
  const ended = `case when nextval('public.tries') = 1 then pg_terminate_backend(pg_backend_pid()) end`;
  expect(await db.query(`select ${ended} as ended`)).toEqual([{ ended: null }]);
  await db.query('drop table if exists public.tried; create table public.tried (ended boolean)');
  await db.query(`select setval('public.tries', 1, false)`);
  await expect(db.query(`insert into public.tried select ${ended}`)).rejects.toMatchObject({ status: 503 });
  expect(await db.query('select 1 as one from public.tried')).toEqual([]);
  await db.query('drop table public.tried; drop sequence public.tries');
});
