import type { Directory } from '../../src/server/db/directory.ts';
import { openTenant } from '../../src/server/db/directory.ts';
import type { Queryable } from '../../src/server/db/database.ts';
import { createServerPresence } from '../../src/server/db/server_presence.ts';
import { describedJobs } from '../../src/server/engine/jobs/described_jobs.ts';
import type { Module } from '../../src/server/engine/modules.ts';
import { NamedFunctions } from '../../src/server/engine/modules.ts';
import { createEngine } from '../../src/server/engine/records/engine.ts';
import { createJobs } from '../../src/server/services/jobs/jobs.ts';
import { createBus } from '../../src/server/services/live/bus.ts';
import { median } from './load.ts';

const STEPS = 20_000;
const BATCH = 500;
const TURNS = 5;
const SCHEMA = 'cmp_demo';
const TABLE = `"${SCHEMA}".bench_step`;
const NEXT = `select id from ${TABLE} where id > $1 order by id limit ${BATCH}`;
const STEP = `update ${TABLE} set done = done + 1 where id = $1`;

type Row = { id: number };

/** The statements of a job by themselves: the same batches, each a transaction. */
async function bySql(db: { transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> }): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    after = await db.transaction(async (tx): Promise<number | null> => {
      const batch: Row[] = await tx.query<Row>(NEXT, [from]);
      for (const { id } of batch) await tx.query(STEP, [id]);
      return batch.at(-1)?.id ?? null;
    });
  }
}

/** What a job of many steps costs against its statements: its queue, cursor and progress. */
export async function jobsBench(directory: Directory): Promise<[string, string, string]> {
  const { main } = directory;
  const row = (await directory.tenants()).find(({ schema }) => schema === SCHEMA)!;
  const tenant = await openTenant(directory, row);
  const { owner } = tenant.db;
  await owner.query(`create table if not exists ${TABLE} (id bigint primary key, done integer not null default 0)`);
  await tenant.db.query(
    `insert into ${TABLE} (id) select i from generate_series(1, ${STEPS}) i on conflict do nothing`,
  );
  const module: Module = {
    name: 'bench',
    jobs: {
      steps: {
        async run({ each }) {
          const done = await each(
            (unit, after) => unit.query<Row>(NEXT, [Number(after ?? 0)]),
            async (unit, batch) => {
              for (const { id } of batch) await unit.query(STEP, [id]);
              return batch.at(-1)!.id;
            },
            () => Promise.resolve(STEPS),
          );
          return String(done);
        },
      },
    },
  };
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  const presence = createServerPresence(main);
  const bus = createBus(log);
  const jobs = createJobs({ directory, presence, bus, log });
  const engine = createEngine({ screens: () => new Map() });
  const plan = {
    name: 'bench_steps',
    title: 'Steps',
    run: 'bench.steps',
    per: 'client' as const,
    retry: [],
    types: [],
  };
  jobs.describe(
    describedJobs([{ ...plan, args: {} }], {
      functions: new NamedFunctions([module], {} as ConstructorParameters<typeof NamedFunctions>[1]),
      prepare: () => Promise.resolve(),
      unit: (unit) => engine.unit(unit),
    }),
  );
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const times = { job: [] as number[], sql: [] as number[] };
  for (let turn = 0; turn <= TURNS; turn++) {
    await owner.query(`vacuum ${TABLE}`);
    const sql = await timed(() => bySql(tenant.db));
    await owner.query(`vacuum ${TABLE}`);
    await jobs.enqueue(SCHEMA, 'bench_steps');
    const job = await timed(() => jobs.drain());
    // The first turn warms both.
    if (turn > 0) {
      times.sql.push(sql);
      times.job.push(job);
    }
  }
  const [last] = await jobs.log(SCHEMA, { name: 'bench_steps' });
  if (last?.message !== String(STEPS)) throw new Error(`The job did ${last?.message ?? last?.error} steps.`);
  await owner.query(`drop table ${TABLE}`);
  await jobs.close();
  await bus.close();
  presence.close();
  const [job, sql] = [median(times.job), median(times.sql)];
  return [
    `a job of ${STEPS.toLocaleString('en-IN')} steps ÷ its SQL, batches of ${BATCH}`,
    `${(job / sql).toFixed(2)} (${Math.round(job)} ÷ ${Math.round(sql)} ms)`,
    '≤ 1.2',
  ];
}
