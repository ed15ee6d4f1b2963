import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Database } from '../../src/server/db/database.ts';
import type { Directory } from '../../src/server/db/directory.ts';
import { openTenant } from '../../src/server/db/directory.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { fillLarge } from '../../src/server/platform/demo/large/fill_large.ts';
import { dayIn } from '../../src/server/services/clock/client_day.ts';
import { median, steadyLoad } from './load.ts';
import { runJob } from './run_job.ts';

type Figure = [what: string, measured: string, target: string, reference?: string];

const SCHEMA = 'cmp_demo';
const CALLS = 20;
const BILLS = 5_000;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const times = (values: number[]) => `${median(values).toFixed(0)} ms, longest ${Math.max(...values).toFixed(0)} ms`;

/** Memory of a process and of the most that it had, MB. */
function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/**
 * The large demo, and on it what people and jobs of field service do: lists, dashboard, dues and stock as of other days each,
 * a month of visits and a run of bills beside the lists of others, and both again, which may double nothing.
 * `FMS_LIFTS`: fewer lifts, to try the bench itself.
 */
export async function fmsBench(
  server: { port: number; pid: number },
  guest: Directory,
  schemasDir: string,
  headers: Record<string, string>,
): Promise<Figure[]> {
  const base = `http://127.0.0.1:${server.port}/tapi`;
  const authorization = { authorization: headers.Authorization! };
  const db: Database = guest.main;
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(base + path, { headers: authorization });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const many = async (work: (turn: number) => Promise<unknown>): Promise<number[]> => {
    const all: number[] = [];
    for (let turn = 0; turn < CALLS; turn++) all.push(await timed(() => work(turn)));
    return all;
  };
  const counted = async (from: string) =>
    (await db.query<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;
  const count = (type: string) => counted(`${SCHEMA}.${type}`);
  const run = (name: string) => runJob({ base, authorization, db, schema: SCHEMA }, name);

  const { screens } = await loadScreens(schemasDir);
  const row = (await guest.tenants()).find(({ schema }) => schema === SCHEMA)!;
  const tenant = await openTenant(guest, row);
  const today = dayIn(tenant.timezone);
  const lifts = Number(process.env.FMS_LIFTS ?? 20_000);
  const size = { lifts, customers: Math.ceil(lifts / 10), technicians: Math.max(18, Math.ceil((lifts * 3) / 200)) };
  let rows = 0;
  const filling = await timed(async () => {
    for (const made of await fillLarge(tenant, screens, { ...size, years: 3, today })) rows += made.rows;
  });
  const figures: Figure[] = [
    [
      `large demo of ${lifts.toLocaleString('en-IN')} lifts, three years: ${rows.toLocaleString('en-IN')} rows; load before ${loadavg()[0]!.toFixed(1)}`,
      seconds(filling),
      '≤ 600 s',
    ],
  ];
  const dayBefore = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
  const columns = 'ticket_no,lift_id,building_id,customer_id,status,priority,reported_at,respond_by,technician_id';
  const list = `/fms_ticket?size=20&columns=${columns}`;

  const cold = await timed(() =>
    fetch(`${base}/dashboard/fms_dashboard`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: '{"filters":{}}',
    }).then((answer) => answer.json()),
  );
  figures.push(['FMS dashboard, first call', `${cold.toFixed(0)} ms`, '≤ 1,000 ms']);
  figures.push([
    'list of tickets, each call another page',
    times(await many((turn) => get(`${list}&page=${turn + 1}`))),
    '≤ 150 ms',
  ]);
  const customers = await db.query<{ id: number }>(
    `select c.id from ${SCHEMA}.customer_dtl c where c.customer_no like 'CUH/%' order by c.id limit ${CALLS}`,
  );
  const one = (field: string, id: number) => encodeURIComponent(JSON.stringify([field, 'eq', id]));
  figures.push([
    'a customer with its dues, buildings, lifts, contracts, bills, receipts and tickets, read at once',
    times(
      await many((turn) => {
        const { id } = customers[turn % customers.length]!;
        return Promise.all([
          get(`/customer_dtl/${id}`),
          get(`/customer_dtl/${id}/related`),
          get(`/report/outstanding/rows?customer_id=${id}`),
          ...['building', 'lift', 'contract', 'billing', 'receipt', 'fms_ticket'].map((type) =>
            get(`/${type}?size=20&filter=${one('customer_id', id)}`),
          ),
        ]);
      }),
    ),
    '≤ 500 ms',
  ]);
  for (const by of ['customer', 'bill'])
    figures.push([
      `outstanding with ageing by ${by}, as of another day each`,
      times(await many((turn) => get(`/report/outstanding/rows?shown_by=${by}&as_on=${dayBefore(turn * 20)}`))),
      '≤ 2,000 ms',
    ]);
  for (const by of ['line', 'item'])
    figures.push([
      `stock by ${by}, as of another day each`,
      times(await many((turn) => get(`/report/mr_stock_report/rows?group_by=${by}&as_of=${dayBefore(turn * 20)}`))),
      '≤ 2,000 ms',
    ]);

  const target = { url: base + list, headers };
  const alone = steadyLoad(target);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const before = await alone();

  // A month of visits that nobody has planned yet.
  const visits = await db.query(
    `delete from ${SCHEMA}.scheduled_ticket where status = 'planned' and due_on between $1::date + 1 and $1::date + 31 returning id`,
    [today],
  );
  const planned = await count('scheduled_ticket');
  const beside = steadyLoad(target);
  const visitsMs = await timed(() => run('make_visits'));
  const made = (await count('scheduled_ticket')) - planned;
  figures.push([
    `visits of a month: ${made.toLocaleString('en-IN')} of ${visits.length.toLocaleString('en-IN')} planned again`,
    seconds(visitsMs),
    '≤ 60 s',
  ]);
  await run('make_visits');
  const visitsAgain = (await count('scheduled_ticket')) - planned - made;

  // As many bills fall due today, each of a contract of its own; drafts hold the planned bills.
  await db.query(
    `with c as (select s.contract_id, min(s.seq_no) as seq from ${SCHEMA}.billing_schedule s join ${SCHEMA}.contract k on k.id = s.contract_id
       where s.status = 'planned' and k.contract_no like 'COH/%' and k.status = 'active' group by 1 order by 1 limit ${BILLS})
     update ${SCHEMA}.billing_schedule s set bill_on = $1::date from c where s.contract_id = c.contract_id and s.seq_no = c.seq and s.status = 'planned'`,
    [today],
  );
  const bills = await count('billing');
  const billsMs = await timed(() => run('bills_due'));
  const drafted = (await count('billing')) - bills;
  const during = await beside();
  figures.push([
    `a run of ${drafted.toLocaleString('en-IN')} bills, ${(billsMs / Math.max(1, drafted)).toFixed(1)} ms each`,
    seconds(billsMs),
    '≤ 60 s',
  ]);
  await run('bills_due');
  const billsAgain = (await count('billing')) - bills - drafted;
  const twice = await counted(
    `(select l.billing_schedule_id from ${SCHEMA}.billing__lines l join ${SCHEMA}.billing b on b.id = l.parent_id and b.status <> 'cancelled'
      where l.billing_schedule_id is not null group by 1 having count(*) > 1) x`,
  );
  figures.push([
    'visits and bills made by the same jobs once more, and plan rows on two bills',
    `${visitsAgain + billsAgain + twice}`,
    '≤ 0',
  ]);
  figures.push([
    'p99 of the list of tickets, 50 a second, beside both jobs ÷ without',
    `${(during.p99 / before.p99).toFixed(2)}, ${during.p99.toFixed(1)} ms, ${during.errors} errors`,
    '≤ 3',
    `${before.p99.toFixed(1)} ms`,
  ]);
  const memory = memoryOf(server.pid);
  figures.push([
    'memory of the server behind them; the most it had',
    `${memory.now.toFixed(0)} MB, ${memory.most.toFixed(0)} MB`,
    '≤ 1,024 MB',
  ]);
  return figures;
}
