import { constants, getPriority } from 'node:os';
import { inject, expect, test } from 'vitest';
import { openPool } from '../../../src/server/db/pool.ts';
import { yieldBackend } from '../../../src/server/engine/excel/priority.ts';

test('the database processes of an import have low priority; those of other machines are left alone', async () => {
  const url = inject('databaseUrl');
  // By a socket in a folder it is a process of this machine.
  const here = new URL(url).searchParams.get('host')?.startsWith('/') === true;
  const made: number[] = [];
  const db = openPool({
    name: 'yielding',
    url,
    size: 2,
    onConnect: (pid) => {
      made.push(pid);
      yieldBackend(url, pid);
    },
  });
  const other = openPool({ name: 'other', url, size: 1 });
  const pid = async (on: typeof db) => (await on.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;
  const [yielding, usual] = [await pid(db), await pid(other)];
  expect(made).toEqual([yielding]);
  expect(getPriority(yielding)).toBe(here ? constants.priority.PRIORITY_BELOW_NORMAL : getPriority(usual));
  expect(getPriority(usual)).toBe(getPriority(process.pid));
  // A number that means no process of a database, and an address elsewhere.
  const before = getPriority(process.pid);
  yieldBackend(url, process.pid);
  yieldBackend('postgres://app@db.example:5432/mainstay', usual);
  expect([getPriority(process.pid), getPriority(usual)]).toEqual([before, before]);
  await Promise.all([db.close(), other.close()]);
});
