import type { ReportAnswer } from '../../src/domain/report.ts';
import type { Database } from '../../src/server/db/database.ts';
import { copyDocuments } from './copied_documents.ts';
import { median, steadyLoad } from './load.ts';

const YEAR = 20_000;
const PAPERS = 1_000;
/** Calls that wait for their paper at the same time. */
const AT_ONCE = 8;
const BILLS = 100_000;
const CALLS = 20;

type Figure = [what: string, measured: string, target: string, reference?: string];

const grouped = (value: number) => value.toLocaleString('en-IN');

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const from = performance.now();
  const result = await work();
  return [performance.now() - from, result];
}

const times = (values: number[]) => `${median(values).toFixed(0)} ms, longest ${Math.max(...values).toFixed(0)} ms`;

/** A year of quotations: their list, a report on them, and a thousand of them printed beside fifty lists a second. */
export async function documentsBench(
  port: number,
  guest: Database,
  headers: Record<string, string>,
): Promise<Figure[]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  const get = async (path: string) => {
    const answer = await fetch(base + path, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  await (await get('/quotation?size=1')).arrayBuffer();
  const [first] = await copyDocuments(guest, {
    schema: 'cmp_demo',
    type: 'quotation',
    // So many lines that a letter has two pages.
    rows: [
      { table: 'quotation__lines', times: 6 },
      { table: 'quotation__options', times: 1 },
    ],
    number: { field: 'quotation_no', prefix: 'QTN/Y/' },
    dates: ['quoted_on'],
    due: ['valid_until'],
    count: YEAR,
  });
  const list = `/quotation?size=20&sort=-quoted_on&columns=quotation_no,customer_id,subject,total,status,valid_until`;
  const lists: number[] = [];
  const reports: number[] = [];
  for (let turn = 0; turn < CALLS; turn++) {
    lists.push((await timed(async () => (await get(`${list}&page=${turn + 1}`)).arrayBuffer()))[0]);
    const day = `2020-01-${String(turn + 1).padStart(2, '0')}`;
    reports.push(
      (await timed(async () => (await get(`/report/bench_quotations/rows?quoted_on_from=${day}`)).arrayBuffer()))[0],
    );
  }
  const target = { url: base + list, headers };
  const print = async (id: number) => Buffer.from(await (await get(`/quotation/${id}/print/letter.pdf`)).arrayBuffer());
  const pages = (await print(first)).toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
  // A third of the time for the lists alone, to compare with.
  const alone = steadyLoad(target);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const before = await alone();
  const beside = steadyLoad(target);
  let next = first;
  const [ms] = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < first + PAPERS) await print(next++);
      }),
    ),
  );
  const during = await beside();
  return [
    [`list of ${grouped(YEAR)} quotations, 20 rows with their number`, times(lists), '≤ 300 ms'],
    [`report on ${grouped(YEAR)} quotations, each call with other days`, times(reports), '≤ 1,000 ms'],
    [
      `${grouped(PAPERS)} PDFs of ${pages} pages, ${AT_ONCE} at a time, beside 50 lists a second`,
      `${(ms / 1000).toFixed(1)} s, ${(PAPERS / (ms / 1000)).toFixed(1)} a second`,
      '≤ 60 s',
    ],
    [
      'p99 of the lists beside them ÷ without',
      `${(during.p99 / before.p99).toFixed(2)}, ${during.p99.toFixed(1)} ms, ${during.errors} errors`,
      '≤ 3',
      `${before.p99.toFixed(1)} ms`,
    ],
  ];
}

/** The ageing of open bills as on other days each, by maker, against its statement by itself. */
export async function ageingBench(port: number, guest: Database, headers: Record<string, string>): Promise<Figure[]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  for (const type of ['bench_make', 'bench_bill', 'bench_receipt'])
    await (await fetch(`${base}/${type}?size=1`, { headers })).arrayBuffer();
  const s = 'cmp_demo';
  await guest.query(
    `insert into ${s}.bench_make (code, name) select 'G' || i, 'Payer ' || i from generate_series(1, 40) i on conflict do nothing`,
  );
  await guest.query(
    `insert into ${s}.bench_bill (entity_id, number, branch_id, make_id, billed_on, due_on, amount)
     select 1, 'BILL/' || i, b.ids[1 + (i * 7919) % cardinality(b.ids)], m.ids[1 + (i * 31) % cardinality(m.ids)],
       current_date - ((i * 37) % 400)::int, current_date - ((i * 37) % 400)::int + 30, 1000 + (i % 9000) * 1.25
     from generate_series(1::bigint, ${BILLS}) i,
       (select array_agg(id order by id) as ids from ${s}.branch where entity_id = 1) b,
       (select array_agg(id order by id) as ids from ${s}.bench_make) m`,
  );
  // Each second bill was paid in part, so all are open on any day.
  await guest.query(
    `insert into ${s}.bench_receipt (entity_id, number, received_on) select 1, 'RCT/' || i, current_date - (i % 400)::int from generate_series(1, ${BILLS / 10}) i`,
  );
  await guest.query(
    `insert into ${s}.bench_receipt__allocations (parent_id, position, bill_id, amount)
     select r.ids[1 + b.id % cardinality(r.ids)], b.id, b.id, round(b.amount / 3, 2)
     from ${s}.bench_bill b, (select array_agg(id order by id) as ids from ${s}.bench_receipt) r where b.id % 2 = 0`,
  );
  for (const table of ['bench_bill', 'bench_receipt', 'bench_receipt__allocations'])
    await guest.query(`vacuum analyze ${s}.${table}`);
  const [open] = await guest.query<{ today: string }>('select current_date::text as today');
  const dayBefore = (days: number) =>
    new Date(Date.parse(`${open!.today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
  const byHand: number[] = [];
  const engine: number[] = [];
  let counted = 0;
  for (let turn = 0; turn < CALLS; turn++) {
    const day = dayBefore(turn);
    byHand.push(
      (
        await timed(() =>
          guest.query(
            `select b.make_id, count(*), sum(b.amount - coalesce(p.paid, 0)), ${[0, 30, 60, 90, 180]
              .map((edge) => `sum(b.amount - coalesce(p.paid, 0)) filter (where $1::date - b.due_on > ${edge})`)
              .join(', ')}
             from ${s}.bench_bill b left join (
               select a.bill_id, sum(a.amount) as paid from ${s}.bench_receipt__allocations a join ${s}.bench_receipt r on r.id = a.parent_id
               where r.received_on <= $1::date and r.entity_id = 1 and r.active group by a.bill_id) p on p.bill_id = b.id
             where b.entity_id = 1 and b.active and b.billed_on <= $1::date and b.amount > coalesce(p.paid, 0) group by b.make_id`,
            [day],
          ),
        )
      )[0],
    );
    const [ms, answer] = await timed(async () => {
      const call = await fetch(`${base}/report/bench_ageing/rows?as_on=${day}`, { headers });
      if (!call.ok) throw new Error(await call.text());
      return (await call.json()) as { data: ReportAnswer };
    });
    engine.push(ms);
    if (turn === 0) counted = Number(answer.data.totals?.bills ?? 0);
  }
  return [
    [
      `ageing of ${grouped(counted)} open bills as on another day each`,
      times(engine),
      '≤ 1,000 ms',
      `${median(byHand).toFixed(0)} ms`,
    ],
    [
      'the same: engine ÷ its statement by hand',
      (median(engine) / median(byHand)).toFixed(2),
      '',
      `${median(byHand).toFixed(0)} ms`,
    ],
  ];
}
