// A process of its own for the kill tests: opens a data directory and writes what it was told was stored.
import { openDatabases } from '../../../src/server/db/open.ts';

const directory = await openDatabases({ dataDir: process.argv[2] ?? '', log: (text) => console.log(`log ${text}`) });
await directory.main.query('create table if not exists public.kept (n bigint primary key)');
const [server] = await directory.main.query<{ pid: number }>(
  `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
);
console.log(`ready ${server?.pid}`);
if (process.argv[3] === 'write') {
  const [last] = await directory.main.query<{ n: number }>('select coalesce(max(n), 0) as n from public.kept');
  let next = last?.n ?? 0;
  const writer = async (): Promise<void> => {
    for (;;) {
      const n = ++next;
      try {
        await directory.main.query({ name: 'kept', text: 'insert into public.kept values ($1)', values: [n] });
        process.stdout.write(`stored ${n}\n`);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
}
process.on('SIGTERM', () => void directory.close().then(() => process.exit(0)));
setInterval(() => {}, 1_000);
