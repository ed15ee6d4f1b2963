import type { Database } from '../../src/server/db/database.ts';
import { median } from './load.ts';

const WAITING = 5_000;
const DECIDED = 50_000;
const CALLS = 40;

/** What somebody waits for whose list of approvals is long: its first page, and one far behind. */
export async function approvalsBench(
  port: number,
  guest: Database,
  headers: Record<string, string>,
): Promise<[string, string, string][]> {
  const base = `http://127.0.0.1:${port}/tapi/approval_request`;
  const call = async (query: string): Promise<{ ms: number; rows: number; cursor: string | null }> => {
    const from = performance.now();
    const response = await fetch(`${base}?${query}`, { headers: { authorization: headers.Authorization! } });
    const answer = (await response.json()) as { data: object[]; cursor: string | null };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return { ms: performance.now() - from, rows: answer.data.length, cursor: answer.cursor };
  };
  // The first list makes the table.
  await call('size=1');
  await guest.query(
    `insert into cmp_demo.approval_request (entity_id, subject, transaction_type, record_id, amount, asked_by_id, asked_at, waits_since, state, current_level, waiting_for_ids)
     select 1, 'Inspection BENCH/' || i, 'tis_inspection', 1000000 + i, i, a.id, now() - i * interval '1 minute', now() - i * interval '1 minute',
       case when i <= ${WAITING} then 'waiting' else 'approved' end, 1, case when i <= ${WAITING} then array[a.id] else '{}' end
     from generate_series(1, ${WAITING + DECIDED}) i, (select id from cmp_demo.users where username = 'admin') a`,
  );
  await guest.query('vacuum analyze cmp_demo.approval_request');
  const columns = 'subject,transaction_type,amount,asked_by_id,waits_since,due_at,current_level,waiting_for_ids,state';
  const list = `filter=${encodeURIComponent('["state","eq","waiting"]')}&mine=1&sort=asked_at&columns=${columns}&size=100&count=none`;
  const first: number[] = [];
  for (let turn = 0; turn < CALLS; turn++) first.push((await call(list)).ms);
  let { cursor } = await call(list);
  const deep: number[] = [];
  for (let turn = 0; turn < CALLS && cursor; turn++) {
    const page = await call(`${list}&after=${encodeURIComponent(cursor)}`);
    deep.push(page.ms);
    ({ cursor } = page);
  }
  await guest.query(`delete from cmp_demo.approval_request where record_id > 1000000`);
  const ms = (values: number[]) => `${median(values).toFixed(1)} ms, longest ${Math.max(...values).toFixed(1)} ms`;
  return [
    [`first page of 100 of ${WAITING.toLocaleString('en-IN')} requests waiting for one person`, ms(first), '< 50 ms'],
    [`its next ${deep.length} pages, each behind the one before`, ms(deep), '< 50 ms'],
  ];
}
