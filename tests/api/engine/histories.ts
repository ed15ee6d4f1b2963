type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[] };

/** Who calls, and how the tables are looked at: `{s}` is the schema. */
export interface HistoryWorld {
  call(method: string, url: string, body?: object): Promise<{ statusCode: number; body: string; json<T>(): T }>;
  sql<T>(text: string, values: unknown[]): Promise<T[]>;
}

/** What histories came to. */
export interface HistoryCount {
  histories: number;
  taken: number;
  refused: number;
}

const text = { $ref: 'types#text', maxLength: 60 };
const quantity = { $ref: 'types#quantity', minimum: 0 };
const rows = (properties: object) => ({ type: 'array', minItems: 1, items: { required: ['qty'], properties } });
const document = (title: string, properties: object, more: object) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title,
  scope: 'entity',
  access: { screen: 'SCN_MADE', module: 'MASTERS' },
  label: ['name'],
  schema: { required: ['lines'], properties: { name: text, ...properties } },
  grid: ['name', 'status'],
  ...more,
});

/** An order and what is taken of it: rows settle when a receipt is booked, and booking adds to the order what undoing gives back. */
export const HISTORY_TYPES: Record<string, object> = {
  made_order: document(
    'Made order',
    {
      booked: { $ref: 'types#quantity', readOnly: true, default: '0' },
      lines: rows({ qty: quantity, taken: { ...quantity, readOnly: true, default: '0' } }),
    },
    {
      makes: {
        receive: {
          to: 'made_receipt',
          set: { order_id: 'id' },
          at: 'book',
          rows: {
            lines: { from: 'lines', set: { qty: 'qty - taken' }, settles: { taken: 'qty' }, limit: { taken: 'qty' } },
          },
        },
      },
      workflow: {
        states: { open: {}, shut: { is: 'cancelled' } },
        transitions: { shut: { from: ['open'], to: 'shut' } },
      },
    },
  ),
  made_receipt: document(
    'Made receipt',
    {
      order_id: { $ref: 'types#ref', 'x-ref': 'made_order' },
      lines: rows({ qty: quantity }),
      total: { $ref: 'types#quantity', 'x-formula': 'sum(lines.qty)' },
    },
    {
      workflow: {
        states: { draft: {}, booked: {}, closed: { is: 'closed' }, void: { is: 'cancelled' } },
        transitions: {
          book: {
            from: ['draft'],
            to: 'booked',
            effects: [{ set: { of: 'order_id', values: { booked: 'target.booked + total' } } }],
          },
          close: { from: ['booked'], to: 'closed' },
          cancel: { from: ['draft', 'booked', 'closed'], to: 'void', undo: ['book'] },
        },
      },
    },
  ),
};

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ACTS = ['make', 'make', 'book', 'book', 'change', 'cancel', 'close', 'delete', 'shut'] as const;

/**
 * Random histories of an order and what is made of it, each with an order of its own, some side by side. After each the
 * quantities settled and booked are those of the receipts that count. @throws Error with the history where they are not
 */
export async function runHistories(
  world: HistoryWorld,
  {
    histories,
    seed,
    atOnce,
    onDone = () => undefined,
  }: { histories: number; seed: number; atOnce: number; onDone?: (done: number) => void },
): Promise<HistoryCount> {
  const count: HistoryCount = { histories: 0, taken: 0, refused: 0 };
  let next = 0;
  const run = async () => {
    while (next < histories) {
      const { taken, refused } = await oneHistory(world, seed * 1_000_003 + next++);
      count.taken += taken;
      count.refused += refused;
      onDone(++count.histories);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return count;
}

async function oneHistory(world: HistoryWorld, seed: number): Promise<{ taken: number; refused: number }> {
  const random = randomOf(seed);
  const whole = (below: number) => Math.floor(random() * below);
  const told: string[] = [];
  let [taken, refused] = [0, 0];
  const ask = async (method: string, url: string, body?: object): Promise<Doc | null> => {
    const answer = await world.call(method, `/tapi/${url}`, body);
    if (answer.statusCode >= 500 || answer.statusCode === 400)
      throw new Error(`History ${seed}: ${told.join(', ')}; ${method} ${url} was answered ${answer.body}`);
    if (answer.statusCode >= 300) return null;
    return answer.statusCode === 204 ? ({} as Doc) : answer.json<{ data: Doc }>().data;
  };
  const order = (await ask('POST', 'made_order', { lines: [{ qty: '6' }, { qty: '3' }] }))!;
  const receipts: number[] = [];
  for (let left = 4 + whole(6); left > 0; left--) {
    const act = ACTS[whole(ACTS.length)]!;
    const qty = String(whole(5));
    const id = receipts[whole(receipts.length)];
    told.push(`${act} ${id ?? ''} ${qty}`);
    let done: Doc | null = null;
    if (act === 'make') {
      const values = await ask('GET', `made_receipt/new?from=made_order/${order.id}&make=receive`);
      done =
        values &&
        (await ask('POST', 'made_receipt', { ...values, lines: values.lines.map((row) => ({ ...row, qty })) }));
      if (done) receipts.push(done.id);
    } else if (act === 'shut') {
      const { version } = (await ask('GET', `made_order/${order.id}`))!;
      // Rarely: nothing happens to an order that is shut.
      if (whole(3) === 0) done = await ask('POST', `made_order/${order.id}/shut`, { version });
    } else if (id !== undefined) {
      const receipt = await ask('GET', `made_receipt/${id}`);
      if (!receipt) continue;
      const { version } = receipt;
      if (act === 'delete') done = await ask('DELETE', `made_receipt/${id}`);
      else if (act === 'change')
        done = await ask('PUT', `made_receipt/${id}`, {
          version,
          lines: receipt.lines.map((row) => ({ ...row, qty })),
        });
      else done = await ask('POST', `made_receipt/${id}/${act}`, { version });
    }
    if (done) taken++;
    else refused++;
  }
  const wrong = await world.sql<{ what: string }>(
    `select 'row ' || l.id || ' has ' || l.taken as what from {s}.made_order__lines l
       where l.parent_id = $1 and (l.taken > l.qty or l.taken < 0 or l.taken <> coalesce((
         select sum(i.qty) from {s}.record_link k cross join lateral jsonb_to_recordset(k.rows) r(target bigint, source bigint)
           join {s}.made_receipt t on t.id = k.to_id and t.status in ('booked', 'closed') join {s}.made_receipt__lines i on i.id = r.target
         where k.from_type = 'made_order' and k.from_id = $1 and r.source = l.id), 0))
     union all
     select 'booked is ' || o.booked from {s}.made_order o
       where o.id = $1 and o.booked <> coalesce((select sum(t.total) from {s}.made_receipt t where t.order_id = $1 and t.status in ('booked', 'closed')), 0)`,
    [order.id],
  );
  if (wrong.length > 0)
    throw new Error(`History ${seed}: ${told.join(', ')}; ${wrong.map(({ what }) => what).join(', ')}.`);
  return { taken, refused };
}
