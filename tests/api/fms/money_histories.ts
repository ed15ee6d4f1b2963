import { Decimal } from 'decimal.js';
import { ACCOUNT, duesOf } from '../../../src/server/modules/fms_money/dues.ts';
import { Player } from '../random_history.ts';
import type { Doc } from './money_world.ts';

type Row = Record<string, unknown>;

/** Who calls, and how the tables are looked at: `{s}` is the schema. */
export interface MoneyHistoryWorld {
  call(method: string, url: string, body?: object): Promise<{ statusCode: number; body: string; json<T>(): T }>;
  sql<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** A customer without bills. */
  customer(): Promise<number>;
  ids: Record<string, number>;
  /** YYYY-MM-DD so many days from today, where the company is. */
  day(offset: number): string;
  /** The last day of the period that is closed. */
  closed: string;
}

const ACTS = [
  'bill',
  'bill',
  'receive',
  'receive',
  'receive',
  'credit',
  'use',
  'cancel',
  'reverse',
  'bounce',
  'undo',
  'close',
] as const;
const tables = (text: string) =>
  text.replace(
    /\{(\w+)(?:\.(\w+))?\}/g,
    (_all, type: string, rows?: string) => `{s}.${rows === undefined ? type : `${type}__${rows}`}`,
  );

/** What the ledgers of a customer say on a day: dues, advances, account, and what bills and receipts keep of themselves. */
async function said({ sql, ids }: MoneyHistoryWorld, customer: number, asOn: string) {
  void ids;
  const with3 = [1, asOn, customer];
  const [dues] = await sql<{ sum: string; ages: string }>(
    tables(`with ${duesOf(null)} select coalesce(sum(d.outstanding), 0)::text as sum, (
       select coalesce(sum(x.s), 0)::text from (select sum(outstanding) as s from dues where customer_id = $3
         group by width_bucket(($2::date - due_on)::int, array[1, 31, 61, 91, 181])) x) as ages
       from dues d where d.customer_id = $3`),
    with3,
  );
  const [own] = await sql<{ dues: string; advances: string }>(
    tables(`with ${duesOf('$3')} select (select coalesce(sum(outstanding), 0)::text from dues) as dues,
      (select coalesce(sum(amount), 0)::text from advances) as advances`),
    with3,
  );
  const account = await sql<{ amount: string }>(tables(ACCOUNT), with3);
  const [kept] = await sql<{ bills: string; advances: string }>(
    tables(`select (select coalesce(sum(outstanding), 0)::text from {billing} where customer_id = $1) as bills,
       ((select coalesce(sum(advance_left), 0) from {receipt} where customer_id = $1)
        + (select coalesce(sum(left_to_use), 0) from {billing} where customer_id = $1))::text as advances`),
    [customer],
  );
  const balance = account.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  return { dues: dues!, own: own!, balance, kept: kept! };
}

/** What is wrong with the money of a customer; empty = all reconciles. */
async function differences(world: MoneyHistoryWorld, customer: number): Promise<string[]> {
  const { dues, own, balance, kept } = await said(world, customer, world.day(0));
  const wrong: string[] = [];
  const same = (what: string, one: Decimal.Value, other: Decimal.Value) => {
    if (!new Decimal(one).equals(other)) wrong.push(`${what}: ${String(one)} is not ${String(other)}`);
  };
  same('columns of age', dues.ages, dues.sum);
  same('outstanding of bills', kept.bills, dues.sum);
  same('outstanding of the customer alone', own.dues, dues.sum);
  same('advances of receipts and notes', kept.advances, own.advances);
  same('account', balance, new Decimal(dues.sum).minus(own.advances));
  const taxes = await world.sql<{ id: number }>(
    tables(`select b.id from {billing} b where b.customer_id = $1 and (b.outstanding < 0 or b.left_to_use < 0 or
       b.grand_total <> b.taxable_total + b.cgst_total + b.sgst_total + b.igst_total + b.cess_total + b.round_off or
       b.cgst_total <> (select sum(round(l.taxable * l.cgst_rate / 100, 2)) from {billing.lines} l where l.parent_id = b.id))`),
    [customer],
  );
  if (taxes.length > 0) wrong.push(`bills that do not add up: ${taxes.map(({ id }) => id).join(', ')}`);
  return wrong;
}

/**
 * A random history of one customer: bills, receipts with TDS, credit notes, uses of advances, cancelling, reversing and coming
 * back. After each act outstanding, ages, advances, account and what documents keep of themselves are the same.
 * @throws Error with the history where they are not
 */
export async function moneyHistory(
  world: MoneyHistoryWorld,
  seed: number,
  steps = 10,
): Promise<{ taken: number; refused: number }> {
  const { ids, day } = world;
  const customer = await world.customer();
  // Whoever approves is told by the address; the world knows who that is.
  const player = new Player<Doc>('History', seed, (_by, method, url, body) => world.call(method, url, body));
  const { random, whole, told } = player;
  const ask = (method: string, url: string, body?: object) => player.ask(0, method, url, body);
  const step = (type: string, id: number, name: string, more: object = {}) => player.step(0, type, id, name, more);
  const bills: number[] = [];
  const receipts: number[] = [];
  const notes: number[] = [];
  const uses: number[] = [];
  const pick = (of: number[]) => player.pick(of);
  const acts: Record<(typeof ACTS)[number], () => Promise<Doc | null>> = {
    async bill() {
      const line = () => ({
        service_id: ids.service,
        description: 'AMC',
        qty: '1',
        rate: (1 + random() * 40000).toFixed(2),
      });
      const made = await ask('POST', 'billing', {
        customer_id: customer,
        building_id: ids.building,
        branch_id: ids.branch,
        lines: Array.from({ length: 1 + whole(3) }, line),
      });
      const posted = made && (await step('billing', made.id, 'post'));
      if (posted) bills.push(posted.id);
      return posted;
    },
    async receive() {
      const open: Row[] = [];
      const deductions: Row[] = [];
      let cash = new Decimal(0);
      for (const id of new Set([pick(bills), pick(bills)])) {
        if (id === undefined) continue;
        const bill = (await ask('GET', `billing/${id}`))!;
        const part = new Decimal(String(bill.outstanding))
          .times(whole(3) === 0 ? 1 : random())
          .toDecimalPlaces(2, Decimal.ROUND_DOWN);
        const tds = part.times('0.0169').toDecimalPlaces(2, Decimal.ROUND_DOWN);
        open.push({ billing_id: id, cash: part.minus(tds).toFixed(2) });
        if (tds.gt(0)) deductions.push({ deduction_id: ids.tds, billing_id: id, amount: tds.toFixed(2) });
        cash = cash.plus(part).minus(tds);
      }
      const amount = cash.plus(whole(2) === 0 ? 0 : 1 + whole(9000));
      const made = await ask('POST', 'receipt', {
        customer_id: customer,
        branch_id: ids.branch,
        receipt_mode_id: ids.NEFT,
        amount: amount.toFixed(2),
        instrument_no: `N${seed}-${told.length}`,
        instrument_on: day(0),
        allocations: open,
        deductions,
      });
      const handed = made && (await step('receipt', made.id, 'submit'));
      const approved = handed && (await step('receipt', handed.id, 'approve'));
      if (approved) receipts.push(approved.id);
      return approved;
    },
    async credit() {
      const id = pick(bills);
      if (id === undefined) return null;
      const bill = (await ask('GET', `billing/${id}`))!;
      const made = await ask('POST', 'billing', {
        bill_kind: 'credit_note',
        customer_id: customer,
        building_id: ids.building,
        branch_id: ids.branch,
        original_bill_id: id,
        reason_id: ids.reason,
        lines: [
          {
            service_id: ids.service,
            description: 'Credit',
            qty: '1',
            rate: (Number(bill.taxable_total) * random()).toFixed(2),
          },
        ],
      });
      const handed = made && (await step('billing', made.id, 'submit'));
      const approved = handed && (await step('billing', handed.id, 'approve'));
      if (approved) notes.push(approved.id);
      return approved;
    },
    async use() {
      const fromNote = whole(3) === 0 && notes.length > 0;
      const source = fromNote ? pick(notes) : pick(receipts);
      const bill = pick(bills);
      if (source === undefined || bill === undefined) return null;
      const has = (await ask('GET', `${fromNote ? 'billing' : 'receipt'}/${source}`))!;
      const cash = new Decimal(String(has[fromNote ? 'left_to_use' : 'advance_left'])).times(random()).toFixed(2);
      const made = await ask('POST', 'advance_use', {
        customer_id: customer,
        branch_id: ids.branch,
        [fromNote ? 'note_id' : 'receipt_id']: source,
        bills: [{ billing_id: bill, cash }],
      });
      const booked = made && (await step('advance_use', made.id, 'book'));
      if (booked) uses.push(booked.id);
      return booked;
    },
    cancel: async () => {
      const id = whole(3) === 0 ? pick(notes) : pick(bills);
      return id === undefined ? null : step('billing', id, 'cancel', { reason: 'Wrong' });
    },
    reverse: async () => {
      const id = pick(receipts);
      return id === undefined ? null : step('receipt', id, 'reverse', { reason: ids.reversal });
    },
    bounce: async () => {
      const id = pick(receipts);
      return id === undefined ? null : step('receipt', id, 'bounce', { reason: ids.bounce, bounced_on: day(0) });
    },
    /** A bill of a day in a closed period is refused, whoever asks. */
    async close() {
      const made = await ask('POST', 'billing', {
        customer_id: customer,
        building_id: ids.building,
        branch_id: ids.branch,
        bill_date: world.closed,
        lines: [{ service_id: ids.service, description: 'Too late', qty: '1', rate: '100.00' }],
      });
      const posted = made && (await step('billing', made.id, 'post'));
      if (posted) throw new Error(`History ${seed}: ${told.join('; ')}. A bill was posted into the closed period.`);
      return null;
    },
    undo: async () => {
      const id = pick(uses);
      return id === undefined ? null : step('advance_use', id, 'undo', { undone_on: day(0) });
    },
  };
  return player.play(acts, ACTS, steps, () => differences(world, customer));
}
