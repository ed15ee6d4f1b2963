import { Decimal } from 'decimal.js';
import { Player } from '../random_history.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; state: string; lines: Row[] };

/** Three people who call, for nobody approves or receives what they wrote themselves; `{s}` is the schema in statements. */
export interface StockHistoryWorld {
  call(
    by: 0 | 1 | 2,
    method: string,
    url: string,
    body?: object,
  ): Promise<{ statusCode: number; body: string; json<T>(): T }>;
  sql<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** An item of which there is nothing yet. */
  item(code: string): Promise<number>;
  /** Two stores. */
  stores: readonly [number, number];
  /** YYYY-MM-DD so many days from today, where the company is. */
  day(offset: number): string;
}

const ACTS = ['open', 'receive', 'receive', 'issue', 'issue', 'find', 'move', 'arrive', 'count', 'reverse'] as const;

/** What is wrong with the stock of an item; empty = quantities and values are what its movements come to, at every moment. */
async function differences({ sql }: StockHistoryWorld, item: number): Promise<string[]> {
  const rows = await sql<{ what: string }>(
    `select 'balance at ' || b.stock_point_id || ' is ' || b.on_hand as what from {s}.stock_balance b where b.item_id = $1
       and b.on_hand <> coalesce((select sum(l.qty) from {s}.stock_ledger l where l.item_id = b.item_id and l.condition = b.condition and l.stock_point_id = b.stock_point_id), 0)
     union all
     select 'value is ' || v.qty || ' for ' || v.value from {s}.stock_value v where v.item_id = $1 and (v.value < 0 or v.qty < 0 or (v.qty = 0 and v.value <> 0)
       or (v.qty, v.value) <> (select coalesce(sum(l.qty), 0), coalesce(sum(l.value_delta), 0) from {s}.stock_ledger l where l.item_id = v.item_id and l.condition = v.condition and l.valued))
     union all
     select 'less than nothing at ' || x.stock_point_id from (
       select l.stock_point_id, sum(l.qty) over (partition by l.stock_point_id, l.condition order by l.posting_at, l.recorded_at, l.id) as qty,
         lead(l.posting_at) over (partition by l.stock_point_id, l.condition order by l.posting_at, l.recorded_at, l.id) as next_at, l.posting_at
       from {s}.stock_ledger l where l.item_id = $1 and l.stock_point_id is not null) x where x.qty < 0 and x.next_at is distinct from x.posting_at`,
    [item],
  );
  return rows.map(({ what }) => what);
}

/**
 * A random history of one item in two stores: opening, receipts, issues, finds, transfers, counts and reversals, some dated
 * back. After each act quantities and values are those of the movements, never below 0, and nothing is worth nothing.
 * @throws Error with the history where they are not
 */
export async function stockHistory(
  world: StockHistoryWorld,
  seed: number,
  steps = 10,
): Promise<{ taken: number; refused: number }> {
  const item = await world.item(`H${seed}`);
  const player = new Player<Doc>('Stock history', seed, (by, method, url, body) => world.call(by, method, url, body));
  const { random, whole, told, ask, step } = player;
  const posted: { type: string; id: number }[] = [];
  const onTheWay: number[] = [];
  const rate = () => (0.01 + random() * 3000).toFixed(4);
  const adjust = async (kind: string, line: Row) => {
    const made = await ask(0, 'POST', 'stock_adjustment', {
      kind,
      stock_point_id: world.stores[whole(2)],
      reason: 'History',
      adjusted_on: world.day(-whole(3) * whole(3)),
      lines: [{ item_id: item, condition: 'new', qty: String(1 + whole(6)), ...line }],
    });
    const done = made && (await step(0, 'stock_adjustment', made.id, 'submit'));
    if (done) posted.push({ type: 'stock_adjustment', id: done.id });
    return done;
  };
  const acts: Record<(typeof ACTS)[number], () => Promise<Doc | null>> = {
    open: () => adjust('opening', { rate: rate() }),
    issue: () => adjust('write_off', {}),
    find: () => adjust('found', {}),
    async receive() {
      const qty = String(1 + whole(20));
      const made = await ask(0, 'POST', 'grn', {
        source: 'opening',
        stock_point_id: world.stores[whole(2)],
        lines: [{ item_id: item, condition: 'new', received_qty: qty, accepted_qty: qty, rate: rate() }],
      });
      const seen = made && (await step(0, 'grn', made.id, 'inspect'));
      const done = seen && (await step(0, 'grn', made.id, 'post'));
      if (done) posted.push({ type: 'grn', id: done.id });
      return done;
    },
    async move() {
      const from = whole(2);
      const made = await ask(0, 'POST', 'mr_transfer', {
        from_stock_point_id: world.stores[from],
        to_stock_point_id: world.stores[1 - from],
        lines: [{ item_id: item, condition: 'new', qty: String(1 + whole(4)) }],
      });
      const handed = made && (await step(0, 'mr_transfer', made.id, 'submit'));
      const agreed =
        handed && (handed.state === 'approved' ? handed : await step(1, 'mr_transfer', made.id, 'approve'));
      const sent = agreed && (await step(0, 'mr_transfer', made.id, 'dispatch'));
      if (sent) onTheWay.push(sent.id);
      return sent;
    },
    async arrive() {
      const id = onTheWay.pop();
      if (id === undefined) return null;
      const begun = await ask(1, 'GET', `grn/new?from=mr_transfer/${id}&make=grn`);
      const made = begun && (await ask(1, 'POST', 'grn', begun));
      const seen = made && (await step(1, 'grn', made.id, 'inspect'));
      const done = seen && (await step(1, 'grn', made.id, 'post'));
      return done;
    },
    async count() {
      const made = await ask(0, 'POST', 'stock_count', {
        stock_point_id: world.stores[whole(2)],
        scope: 'items',
        item_ids: [item],
      });
      if (!made || !(await step(0, 'stock_count', made.id, 'start'))) return null;
      const enter = async (by: 0 | 1, names: string[], found: string) => {
        const now = (await ask(by, 'GET', `stock_count/${made.id}`))!;
        return ask(by, 'PUT', `stock_count/${made.id}`, {
          version: now.version,
          lines: now.lines.map(({ id, item_id, condition }) => ({
            id,
            item_id,
            condition,
            ...Object.fromEntries(names.map((name) => [name, found])),
          })),
        });
      };
      const found = String(whole(15));
      const first = (await enter(0, ['first_count'], found)) && (await step(0, 'stock_count', made.id, 'count'));
      if (!first) return null;
      if (first.lines.some(({ outside }) => outside === true)) {
        if (!(await step(1, 'stock_count', made.id, 'recount'))) return null;
        if (!(await enter(1, ['first_count', 'second_count'], found))) return null;
        if (!(await step(1, 'stock_count', made.id, 'recounted'))) return null;
      }
      return (await step(2, 'stock_count', made.id, 'approve')) && step(2, 'stock_count', made.id, 'post');
    },
    async reverse() {
      const one = posted[whole(posted.length)];
      return one === undefined ? null : step(0, one.type, one.id, 'reverse', { reason: 'Wrong' });
    },
  };
  const done = await player.play(acts, ACTS, steps, () => differences(world, item));
  const [left] = await world.sql<{ qty: string }>(
    'select coalesce(sum(qty), 0)::text as qty from {s}.stock_ledger where item_id = $1',
    [item],
  );
  if (new Decimal(left!.qty).lt(0))
    throw new Error(`Stock history ${seed}: ${told.join('; ')}. ${left!.qty} are left.`);
  return done;
}
