import { Exact } from '../../../descriptor/exact.ts';
import { addDays, contractYearOf } from '../../../domain/fms/contract_years.ts';
import { earnedUntil } from '../../../domain/fms/line_ending.ts';
import type { BilledPeriod, Earned } from '../../../domain/fms/line_ending.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** A line with its contract's data, as other documents need it. Money is an exact decimal as text. */
export interface KnownLine {
  id: number;
  contract_id: number;
  contract_no: string | null;
  contract_status: string;
  customer_id: number;
  bill_to_id: number;
  branch_id: number;
  start_on: string;
  end_on: string;
  lift_id: number;
  lift_no: string;
  lift_customer_id: number;
  building_id: number;
  route_id: number | null;
  from_on: string;
  to_on: string;
  rate: string;
  discount: string;
  net: string;
  line_status: string;
  version: number;
}

/** Lines by id; missing ids are left out. */
export async function knownLines(unit: Unit, ids: readonly number[]): Promise<Map<number, KnownLine>> {
  const rows = await unit.query<KnownLine>(
    `select l.id, l.version, l.contract_id, c.contract_no, c.status as contract_status, c.customer_id, coalesce(c.bill_to_customer_id, c.customer_id) as bill_to_id,
       c.branch_id, c.start_on::text, c.end_on::text, l.lift_id, f.lift_no, f.customer_id as lift_customer_id, f.building_id, f.route_id,
       l.from_on::text, l.to_on::text, l.rate::text, l.discount::text, l.net::text, l.line_status
     from {contract_line} l join {contract} c on c.id = l.contract_id join {lift} f on f.id = l.lift_id
     where l.id = any($1::bigint[]) and c.entity_id = $2`,
    [ids, unit.session.entityId],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The active lines of each lift: those of contracts that are active or on hold; AMC before other kinds. */
export async function runningLines(unit: Unit, lifts: readonly number[]): Promise<Map<number, number>> {
  const rows = await unit.query<{ id: number; lift_id: number }>(
    `select distinct on (l.lift_id) l.id, l.lift_id from {contract_line} l
     where l.lift_id = any($1::bigint[]) and l.active and l.line_status in ('active', 'held')
     order by l.lift_id, case l.cover_kind when 'amc' then 0 else 1 end, l.from_on desc`,
    [lifts],
  );
  return new Map(rows.map(({ id, lift_id: lift }) => [lift, id]));
}

/** The billed amount of each line. */
export async function billedPeriods(unit: Unit, lines: readonly number[]): Promise<Map<number, BilledPeriod[]>> {
  const rows = await unit.query<BilledPeriod & { line: number }>(
    `select s.contract_line_id as line, s.period_from::text as from_on, s.period_to::text as to_on, s.amount::text as billed
     from {billing_schedule} s where s.contract_line_id = any($1::bigint[]) and s.status = 'billed' and s.active order by s.period_from`,
    [lines],
  );
  return new Map([...Map.groupBy(rows, ({ line }) => line)].map(([line, all]) => [line, all]));
}

/** Earned and unearned parts of the billed amount when lines end after a day (C9). */
export async function earnedOf(
  unit: Unit,
  lines: readonly number[],
  last: string,
): Promise<Map<number, Earned & { billed_to: string | null }>> {
  const billed = await billedPeriods(unit, lines);
  return new Map(
    lines.map((line) => {
      const periods = billed.get(line) ?? [];
      const until =
        periods
          .map(({ to_on: to }) => to)
          .toSorted()
          .at(-1) ?? null;
      return [line, { ...earnedUntil(periods, last), billed_to: until }];
    }),
  );
}

/** The price of a line on a day, by its contract year. */
export async function priceOn(unit: Unit, line: KnownLine, day: string): Promise<string> {
  const year = contractYearOf(line.start_on, day)?.year_no ?? 1;
  const [row] = await unit.query<{ price: string }>(
    'select price::text from {contract_line.year_prices} where parent_id = $1 and year_no <= $2 order by year_no desc limit 1',
    [line.id, year],
  );
  return row?.price ?? line.net;
}

/** Sums of exact amounts. */
export const total = (amounts: readonly (string | null | undefined)[]): string =>
  amounts.reduce((sum, one) => sum.plus(one ?? 0), new Exact(0)).toFixed(2);

/** The day before. */
export const dayBefore = (day: string): string => addDays(day, -1);

/** The rows of a document that are objects. */
export const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** The valid ids among values. */
export const idsOf = (values: readonly unknown[]): number[] =>
  values.flatMap((value) => (typeof value === 'number' ? [value] : []));
