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

/** The entries of the contracts `c` in the search table as the product writes them. */
export const ENTRIES = `select 'bench_contract' as record_type, c.id as record_id, c.entity_id, 3::smallint as place, lower(c.number) as title,
  lower(c.title) as code, lower(c.number || ' ' || c.title || ' ' || coalesce(c.remarks, '')) as text from cmp_demo.bench_contract c`;

const contract = (number: string, customer: number) => ({
  number,
  title: 'Searched contract',
  branch_id: 1,
  customer_id: customer,
  lift_make_id: 1,
  status: 'active',
  amount: '1.00',
  qty: 1,
  start_date: '2026-01-15',
});

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
    stored.push(
      await timed(async () => {
        const response = await fetch(`${base}/bench_contract`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(contract(number, turn + 1)),
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
  const [{ others } = { others: -1 }] = await guest.query<{ others: number }>(
    `select count(*)::int as others from (${ENTRIES} where c.number like 'SB/%' except
       select record_type, record_id, entity_id, place, title, code, text from cmp_demo.search_entry) x`,
  );
  if (others !== 0) throw new Error('The product writes other entries than those that were filled in.');
  figures.push([
    'an entry of the search table by itself ÷ a record stored with its entry',
    (median(entered) / median(stored)).toFixed(2),
    '',
    `${median(stored).toFixed(1)} ms`,
  ]);
  return figures;
}
