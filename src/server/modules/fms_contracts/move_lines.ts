import { contractYears } from '../../../domain/fms/contract_years.ts';
import { yearPrices } from '../../../domain/fms/escalation.ts';
import type { YearPrice } from '../../../domain/fms/escalation.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { changeLines, linesOf } from './contract_lines.ts';
import { dayBefore, priceOn } from './line_money.ts';
import type { KnownLine } from './line_money.ts';
import { escalationBy, yearTotals } from './prices.ts';

type Row = Record<string, unknown>;

/** A line that closes, and its continuation. */
export interface LineMove {
  line: KnownLine;
  new_to_on: string;
  /** The annual price from the first day on; null = the agreed prices. */
  new_rate: string | null;
}

/** The terms of a contract that the new one copies. */
const KEPT = [
  'contract_kind',
  'amc_type_id',
  'building_id',
  'sales_person_id',
  'payment_type_id',
  'payment_term_id',
  'bill_grouping',
  'bank_id',
  'po_needed',
  'schedule_visit_id',
  'visit_schedule_id',
  'escalation_percentage_id',
  'escalation_time_id',
  'parts_limit',
  'parts_share',
  'auto_renew',
  'notice_days',
  'renewal_type_id',
  'customer_signatory',
  'our_signatory_id',
] as const;

/** The terms of a contract that decide the prices of its lines. */
interface Terms {
  start_on: string;
  escalation_percentage_id: unknown;
  escalation_time_id: unknown;
}

const termsOf = (contract: Readonly<Row>): Terms => ({
  start_on: String(contract.start_on),
  escalation_percentage_id: contract.escalation_percentage_id ?? null,
  escalation_time_id: contract.escalation_time_id ?? null,
});

/**
 * The prices of a moved line by the contract years of its new contract: the agreed ones, or computed from a new price
 * by the rule.
 */
async function pricesOfMove(
  unit: Unit,
  { line, new_to_on: to, new_rate: rate }: LineMove,
  terms: Terms,
  from: string,
): Promise<YearPrice[]> {
  const { start_on: start } = terms;
  if (rate === null)
    return Promise.all(
      contractYears(start, { from_on: from, to_on: to }).map(async (year) => ({
        ...year,
        price: await priceOn(unit, line, year.from_on > from ? year.from_on : from),
      })),
    );
  const escalation = await escalationBy(unit, terms.escalation_percentage_id, terms.escalation_time_id);
  const [lift] = await unit.query<{ since: string | null }>(
    'select commissioned_on::text as since from {lift} where id = $1',
    [line.lift_id],
  );
  const days = { from_on: from, to_on: to };
  return yearPrices(rate, { start, base: from, line: days, commissioned: lift?.since ?? null }, escalation);
}

/** The new lines of moved lines, in the form in which people enter them. */
async function openedLines(unit: Unit, terms: Terms, moves: readonly LineMove[], from: string): Promise<Row[]> {
  const olds = await unit.query<{ id: number; amc_type_id: number; visits_per_year: number | null }>(
    'select id, amc_type_id, visits_per_year from {contract_line} where id = any($1::bigint[])',
    [moves.map(({ line }) => line.id)],
  );
  const byId = new Map(olds.map((one) => [one.id, one]));
  return Promise.all(
    moves.map(async (move): Promise<Row> => {
      const prices = await pricesOfMove(unit, move, terms, from);
      const old = byId.get(move.line.id)!;
      return {
        lift_id: move.line.lift_id,
        amc_type_id: old.amc_type_id,
        from_on: from,
        to_on: move.new_to_on,
        rate: prices[0]?.price ?? move.line.net,
        discount: '0',
        visits_per_year: old.visits_per_year,
        year_prices: prices,
      };
    }),
  );
}

/** Updates the moved lines, contract by contract. */
async function changeMoved(unit: Unit, moves: readonly LineMove[], to: (line: KnownLine) => Row): Promise<void> {
  for (const [contract, own] of Map.groupBy(moves, ({ line }) => line.contract_id))
    await changeLines(unit, contract, new Map(own.map(({ line }) => [line.id, to(line)])));
}

/**
 * Closes lines the day before and opens others in a running contract from a day on: of the closed ones only the end
 * changes.
 * @returns the new line of each old one, by id
 */
export async function moveLines(
  unit: Unit,
  target: WireRecord,
  moves: readonly LineMove[],
  { from, reason, fields = {} }: { from: string; reason: unknown; fields?: Row },
): Promise<Map<number, number>> {
  const rows = await openedLines(unit, termsOf(target), moves, from);
  await changeMoved(unit, moves, () => ({
    line_status: 'moved',
    closes_on: dayBefore(from),
    close_reason_id: reason ?? null,
  }));
  const before = new Set(linesOf(await unit.read('contract', target.id)).map(({ id }) => id));
  const state = target.status === 'held' ? 'held' : 'active';
  const after = await changeLines(
    unit,
    target.id,
    new Map(),
    rows.map((row, at) => ({
      ...row,
      cover_kind: target.contract_kind,
      line_status: state,
      moved_from_line_id: moves[at]!.line.id,
    })),
    { own_terms: true, ...fields },
  );
  const news = linesOf(after).filter(({ id }) => !before.has(id));
  const byOld = new Map(news.map((line) => [Number(line.moved_from_line_id), line.id]));
  await changeMoved(unit, moves, ({ id }) => ({ moved_to_line_id: byOld.get(id) ?? null }));
  return byOld;
}

/** Creates and activates a contract that continues lines of others from a day on, with the terms of one of them. */
export async function continueIn(
  unit: Unit,
  source: WireRecord,
  moves: readonly LineMove[],
  { from, reason, set = {} }: { from: string; reason: unknown; set?: Row },
): Promise<{ contract: WireRecord; lines: Map<number, number> }> {
  const ends = moves
    .map(({ new_to_on: to }) => to)
    .toSorted()
    .at(-1)!;
  const rows = await openedLines(unit, { ...termsOf(source), start_on: from }, moves, from);
  const made = await unit.create('contract', {
    ...Object.fromEntries(KEPT.map((name) => [name, source[name] ?? null])),
    customer_id: source.customer_id,
    bill_to_customer_id: source.bill_to_customer_id ?? null,
    branch_id: source.branch_id,
    signed_on: source.signed_on ?? null,
    start_on: from,
    months: 12,
    ends_on: ends,
    price_base_on: source.price_base_on ?? source.start_on,
    root_contract_id: source.root_contract_id ?? source.id,
    own_terms: true,
    lines: rows,
    year_totals: yearTotals(rows.map(({ year_prices: prices }) => ({ prices: prices as YearPrice[] }))),
    ...set,
  });
  await unit.takeAuto('contract', made.id, 'open');
  const news = linesOf(made);
  await changeMoved(unit, moves, () => ({
    line_status: 'moved',
    closes_on: dayBefore(from),
    close_reason_id: reason ?? null,
  }));
  await changeLines(
    unit,
    made.id,
    new Map(news.map(({ id }, at) => [id, { line_status: 'active', moved_from_line_id: moves[at]!.line.id }])),
  );
  const lines = new Map(moves.map(({ line }, at) => [line.id, news[at]!.id]));
  await changeMoved(unit, moves, ({ id }) => ({ moved_to_line_id: lines.get(id)! }));
  return { contract: await unit.read('contract', made.id), lines };
}

/** Appends these rows to a contract's amendments. */
export async function amended(
  unit: Unit,
  contract: WireRecord,
  rows: readonly { effective_on: string; field: string; old: string; new: string; reason: string }[],
): Promise<void> {
  const before = (contract.amendments ?? []) as Row[];
  await unit.update('contract', contract.id, {
    amendments: [
      ...before,
      ...rows.map((row, at) => ({
        ...row,
        no: before.length + at + 1,
        approved_by: unit.session.userId === 0 ? null : unit.session.userId,
      })),
    ],
  });
}
