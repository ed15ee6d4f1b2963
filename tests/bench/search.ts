import type { Database } from '../../src/server/db/database.ts';
import { median } from './load.ts';

const CALLS = 20;
const WRITES = 200;

/** What people type: a number, a name, words that many records hold, a typing error, two letters, what nobody has. */
const TEXTS: [string, (turn: number) => string][] = [
  ['a number', (turn) => `con/${700_000 + turn * 37}`],
  ['the name of a customer', (turn) => `customer ${12_000 + turn * 11}`],
  ['a word that all of them hold', () => 'contract'],
  ['a name with a typing error', (turn) => `custmoer ${12_000 + turn * 11}`],
  ['two letters', () => 'co'],
  ['what nobody has', (turn) => `zzqx${turn}`],
];

/** Waits until the product has entered its records into the search table; it does so when it starts. */
export async function searchEntries(guest: Database, type: string, records: number): Promise<void> {
  for (;;) {
    const [{ count } = { count: 0 }] = await guest.query<{ count: number }>(
      'select count(*)::int as count from cmp_demo.search_entry where record_type = $1',
      [type],
    );
    if (count >= records) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await guest.query('vacuum analyze cmp_demo.search_entry');
}

/** The search over all types beside a million records, and what its entry costs a record that is stored. */
export async function searchBench(
  port: number,
  guest: Database,
  headers: Record<string, string>,
): Promise<[string, string, string, string][]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  const authorization = headers.Authorization!;
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const search = async (text: string): Promise<void> => {
    const response = await fetch(`${base}/search?q=${encodeURIComponent(text)}`, { headers: { authorization } });
    if (!response.ok) throw new Error(await response.text());
    await response.json();
  };
  const figures: [string, string, string, string][] = [];
  for (const [what, text] of TEXTS) {
    await search(text(CALLS));
    const times: number[] = [];
    for (let turn = 0; turn < CALLS; turn++) times.push(await timed(() => search(text(turn))));
    figures.push([
      `search of 10,00,000 records: ${what}`,
      `${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`,
      '≤ 50 ms',
      '',
    ]);
  }

  const stored: number[] = [];
  const entered: number[] = [];
  for (let turn = 0; turn < WRITES; turn++) {
    const number = `SB/${Date.now() % 1_000_000}/${turn}`;
    const record = {
      number,
      title: 'Searched contract',
      branch_id: 1,
      customer_id: turn + 1,
      lift_make_id: 1,
      status: 'active',
      amount: '1.00',
      qty: 1,
      start_date: '2026-01-15',
    };
    stored.push(
      await timed(async () => {
        const response = await fetch(`${base}/bench_contract`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(record),
        });
        if (!response.ok) throw new Error(await response.text());
      }),
    );
    entered.push(
      await timed(() =>
        guest.query(
          `insert into cmp_demo.search_entry (record_type, record_id, entity_id, place, title, code, text)
           values ('bench', $1, 1, 3, $2, null, $3)`,
          [turn, number.toLowerCase(), `${number.toLowerCase()} searched contract`],
        ),
      ),
    );
  }
  await guest.query(`delete from cmp_demo.search_entry where record_type = 'bench'`);
  figures.push([
    'an entry of the search table by itself ÷ a record stored with its entry',
    (median(entered) / median(stored)).toFixed(2),
    '',
    `${median(stored).toFixed(1)} ms`,
  ]);
  return figures;
}
