import type { LoadResult } from './load.ts';
import { interleaved, median, requireWrk } from './load.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; lines: (Row & { id: number })[] };
/** What was measured: what, figure, target, and what a ratio is a ratio to. */
type Figure = [what: string, measured: string, target: string, reference?: string];

const SMALL = 10;
const LARGE = 1_000;
const CALLS = 60;
const MONTHS = Array.from({ length: 12 }, (_, at) => `m${String(at + 1).padStart(2, '0')}`);

const line = (at: number, make: number) => ({
  item: `Item ${at}`,
  make_id: make,
  qty: String((at % 7) + 1),
  rate: '12.50',
});

/** Lua of wrk: a new document of 20 rows at each call. */
const documentScript = (path: string, headers: Record<string, string>, customer: number, make: number) => `
local headers = {}
headers["Content-Type"] = "application/json"
${Object.entries(headers)
  .map(([name, value]) => `headers["${name}"] = "${value}"`)
  .join('\n')}
local body = '${JSON.stringify({
  dated_on: '2026-01-15',
  customer_id: customer,
  lines: Array.from({ length: 20 }, (_, at) => line(at, make)),
})}'
request = function()
  return wrk.format("POST", "${path}", headers, body)
end`;

/**
 * Documents with rows: what a save costs against the same by hand, how it grows with the rows that nobody changed, what a
 * preview costs, and many cells at once.
 */
export async function rowsBench(
  port: number,
  headers: Record<string, string>,
  reference: { port: number },
): Promise<Figure[]> {
  requireWrk();
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: headers.Authorization!, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: T };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer).slice(0, 500)}`);
    return answer.data;
  };
  const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const from = performance.now();
    const result = await work();
    return [performance.now() - from, result];
  };
  const own = Date.now().toString(36).toUpperCase();
  const customer = (await call<Doc>('POST', '/tapi/bench_customer', { code: `R${own}`, name: 'Rows' })).id;
  const make = (await call<Doc>('POST', '/tapi/bench_make', { code: `R${own}`, name: 'Rows' })).id;
  const document = (rows: number) =>
    call<Doc>('POST', '/tapi/bench_document', {
      dated_on: '2026-01-15',
      customer_id: customer,
      lines: Array.from({ length: rows }, (_, at) => line(at, make)),
    });
  await document(1);

  const figures: Figure[] = [];
  const saves = await interleaved(
    {
      hand: {
        url: `http://127.0.0.1:${reference.port}/document`,
        script: documentScript('/document', {}, customer, make),
      },
      engine: {
        url: `http://127.0.0.1:${port}/tapi/bench_document`,
        script: documentScript('/tapi/bench_document', headers, customer, make),
      },
    },
    3,
    3,
  );
  figures.push(ratioOf(saves));

  const docs: Record<number, Doc> = { [SMALL]: await document(SMALL), [LARGE]: await document(LARGE) };
  const changed: Record<number, number[]> = { [SMALL]: [], [LARGE]: [] };
  const opened: Record<number, number[]> = { [SMALL]: [], [LARGE]: [] };
  for (let turn = 0; turn < CALLS; turn++)
    for (const size of [SMALL, LARGE]) {
      const doc = docs[size]!;
      const row = doc.lines[turn % doc.lines.length]!;
      const input = { version: doc.version, lines: { set: { [row.id]: { qty: String((turn % 9) + 11) } } } };
      const [ms, saved] = await timed(() => call<Doc>('PUT', `/tapi/bench_document/${doc.id}?rows=changed`, input));
      changed[size]!.push(ms);
      doc.version = saved.version;
      opened[size]!.push((await timed(() => call('GET', `/tapi/bench_document/${doc.id}`)))[0]);
    }
  const [few, many] = [median(changed[SMALL]!), median(changed[LARGE]!)];
  figures.push([
    `one changed row of ${LARGE.toLocaleString('en-IN')} saved ÷ of ${SMALL}`,
    `${(many / few).toFixed(2)} (${many.toFixed(1)} ÷ ${few.toFixed(1)} ms)`,
    '≤ 1.5',
  ]);
  figures.push([
    `a document of ${LARGE.toLocaleString('en-IN')} rows read`,
    `${median(opened[LARGE]!).toFixed(1)} ms`,
    '≤ 1,000 ms',
  ]);

  const acts: number[] = [];
  const previews: number[] = [];
  for (let turn = 0; turn < CALLS; turn++) {
    const { id, version } = await document(20);
    const step = (preview: string) => () => call('POST', `/tapi/bench_document/${id}/confirm${preview}`, { version });
    previews.push((await timed(step('?preview=1')))[0]);
    acts.push((await timed(step('')))[0]);
  }
  figures.push([
    'a step shown beforehand ÷ taken',
    `${(median(previews) / median(acts)).toFixed(2)} (${median(previews).toFixed(1)} ÷ ${median(acts).toFixed(1)} ms)`,
    '≤ 1.3',
  ]);

  const sheet = await call<Doc>('POST', '/tapi/bench_sheet', {
    name: `Sheet ${own}`,
    lines: Array.from({ length: LARGE }, (_, at) => ({ account: `Account ${at}` })),
  });
  const pastes: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const seen = turn === 0 ? null : `${turn}.50`;
    const cells = sheet.lines.map(({ id }) => ({
      id,
      set: Object.fromEntries(MONTHS.map((name) => [name, [seen, `${turn + 1}.50`]])),
    }));
    pastes.push((await timed(() => call('PATCH', `/tapi/bench_sheet/${sheet.id}/rows/lines`, { cells })))[0]);
  }
  figures.push(['12,000 pasted cells in one call', `${Math.round(median(pastes))} ms`, '≤ 2,000 ms']);
  return figures;
}

function ratioOf({ hand, engine }: Record<'hand' | 'engine', LoadResult>): Figure {
  return [
    'new document of 20 rows with number and history: engine ÷ hand-written, p99 of the engine',
    `${(engine.perSecond / hand.perSecond).toFixed(2)}, ${engine.p99.toFixed(1)} ms, ${engine.errors} errors`,
    '≥ 0.70',
    `${hand.perSecond.toFixed(0)} a second`,
  ];
}
