import type { DashboardAnswer } from '../../src/domain/dashboard.ts';
import type { Database } from '../../src/server/db/database.ts';
import { median } from './load.ts';

const ORDERS = 100_000;
const CALLS = 30;

/** A dashboard of 12 tiles over documents: its first call, calls that ask for other days each, and the same again. */
export async function dashboardBench(
  port: number,
  guest: Database,
  headers: Record<string, string>,
): Promise<[string, string, string][]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  const authorization = { authorization: headers.Authorization! };
  const call = async (filters: Record<string, string>): Promise<number> => {
    const from = performance.now();
    const response = await fetch(`${base}/dashboard/bench_board`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ filters }),
    });
    const answer = (await response.json()) as { data: DashboardAnswer };
    const ms = performance.now() - from;
    const failed = answer.data?.tiles.find(({ problem }) => problem !== undefined);
    if (!response.ok || failed || answer.data.tiles.length !== 12) throw new Error(JSON.stringify(failed ?? answer));
    return ms;
  };
  // The first list makes the tables.
  for (const type of ['bench_sale', 'bench_make']) await fetch(`${base}/${type}?size=1`, { headers: authorization });
  await guest.query(
    `insert into cmp_demo.bench_make (code, name) select 'D' || i, 'Maker ' || i from generate_series(1, 40) i on conflict do nothing`,
  );
  await guest.query(
    `insert into cmp_demo.bench_sale (entity_id, number, branch_id, make_id, status, ordered_on, due_on, amount, qty)
     select 1, 'ORD/' || i, b.ids[1 + (i * 7919) % cardinality(b.ids)], m.ids[1 + (i * 31) % cardinality(m.ids)],
       (array['draft','sent','accepted','lost'])[1 + (i * 13) % 4], current_date - ((i * 37) % 900)::int,
       current_date + 30 - ((i * 37) % 900)::int, (i % 100000) * 1.25, i % 50
     from generate_series(1::bigint, ${ORDERS}) i,
       (select array_agg(id order by id) as ids from cmp_demo.branch where entity_id = 1) b,
       (select array_agg(id order by id) as ids from cmp_demo.bench_make) m`,
  );
  await guest.query('vacuum analyze cmp_demo.bench_sale');
  const first = await call({});
  const other: number[] = [];
  for (let turn = 0; turn < CALLS; turn++)
    other.push(await call({ from: `2020-01-${String(turn + 1).padStart(2, '0')}` }));
  const same: number[] = [];
  for (let turn = 0; turn < CALLS; turn++) same.push(await call({}));
  const home: number[] = [];
  for (let turn = 0; turn < CALLS; turn++) {
    const from = performance.now();
    const response = await fetch(`${base}/home`, { headers: authorization });
    await response.json();
    home.push(performance.now() - from);
    if (!response.ok) throw new Error(`Home answers ${response.status}.`);
  }
  const ms = (values: number[]) => `${median(values).toFixed(0)} ms, longest ${Math.max(...values).toFixed(0)} ms`;
  const what = `12 tiles over ${ORDERS.toLocaleString('en-IN')} documents`;
  return [
    [`${what}, first call`, `${first.toFixed(0)} ms`, '≤ 1,000 ms'],
    [`${what}, each call with other days`, ms(other), '≤ 300 ms'],
    [`${what}, the same call again`, ms(same), '≤ 300 ms'],
    ['Home, everything that waits for a person in one call', ms(home), '≤ 500 ms'],
  ];
}
