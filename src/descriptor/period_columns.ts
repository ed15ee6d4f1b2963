import { formatValue } from './format.ts';
import type { Field, JsonSchema } from './types.ts';

/** Columns of child rows for consecutive periods, as a descriptor defines them. */
export interface Periods {
  /** Field of the record with the start of the first period: a financial year, a month or a date. */
  start: string;
  unit: 'month' | 'quarter';
  /** How many. */
  count: number;
  /** The prefix of the column names: m01, m02 … */
  field: string;
  type: 'money' | 'decimal' | 'quantity' | 'percent' | 'integer';
  /** Totals: per quarter, and overall. */
  totals?: ('quarter' | 'all')[];
  /** How totals are computed: the sum or, for a balance, the last value. */
  roll?: 'sum' | 'last' | 'min' | 'max';
  /** Which periods are closed. */
  closed?: ClosedPeriods;
}

/** Which periods are closed: those up to a field of the record, and those closed by records of another type. */
export interface ClosedPeriods {
  /** Field of the record with the last closed month or day. */
  until?: string;
  /** The type whose records each close one month, while they have these values. */
  by?: string;
  /** Its field with the month: a month or a date. */
  period?: string;
  when?: Record<string, string | string[]>;
  /** Its fields that must equal these fields of the record. */
  same?: Record<string, string>;
}

/** The periods of a column. */
export interface PeriodOfColumn {
  /** Index of its first period. */
  first: number;
  /** The number of periods it covers. */
  count: number;
}

const numbered = (field: string, at: number): string => `${field}${String(at + 1).padStart(2, '0')}`;

/** The period columns in order: three months, their total, …, the overall total. */
export function periodColumns({ field, unit, count, totals = [] }: Periods): (PeriodOfColumn & { name: string })[] {
  const columns: (PeriodOfColumn & { name: string })[] = [];
  for (let at = 0; at < count; at++) {
    columns.push({ name: numbered(field, at), first: at, count: 1 });
    // The last group may have two months; a single month has no total.
    const ends = at % 3 === 2 || (at === count - 1 && at % 3 === 1);
    if (unit === 'month' && totals.includes('quarter') && ends) {
      const quarter = Math.floor(at / 3);
      columns.push({ name: `${field}_q${quarter + 1}`, first: quarter * 3, count: at - quarter * 3 + 1 });
    }
  }
  if (totals.includes('all')) columns.push({ name: `${field}_all`, first: 0, count });
  return columns;
}

/** The periods that a column covers, by name. */
export const namesOfPeriods = ({ field }: Periods, { first, count }: PeriodOfColumn): string[] =>
  Array.from({ length: count }, (_, step) => numbered(field, first + step));

const ROLLS: Record<NonNullable<Periods['roll']>, (names: string[]) => string> = {
  sum: (names) => `sum(${names.join(', ')})`,
  last: (names) => `coalesce(${names.toReversed().join(', ')})`,
  min: (names) => `min(${names.join(', ')})`,
  max: (names) => `max(${names.join(', ')})`,
};

function titleOf({ unit, count: all }: Periods, { first, count }: PeriodOfColumn): string {
  if (count === all && count > 1) return 'Total';
  if (count > 1) return `Quarter ${first / 3 + 1}`;
  return `${unit === 'month' ? 'Month' : 'Quarter'} ${first + 1}`;
}

/** The schema of rows with their period columns, after the other columns. */
export function withPeriodColumns(items: JsonSchema, periods: Periods): JsonSchema {
  const type = { $ref: `types#${periods.type}` };
  const columns = periodColumns(periods).map((column) => [
    column.name,
    {
      ...type,
      title: titleOf(periods, column),
      ...(column.count > 1 && { 'x-formula': ROLLS[periods.roll ?? 'sum'](namesOfPeriods(periods, column)) }),
    },
  ]);
  return { ...items, properties: { ...items.properties, ...Object.fromEntries(columns) } };
}

/** The first month of the periods, as year and zero-based month; null if it is not entered yet. */
function firstMonth(value: unknown, startMonth: number): [year: number, month: number] | null {
  const text = String(value ?? '');
  const year = /^(\d{4})-\d{4}$/.exec(text);
  if (year) return [Number(year[1]), startMonth - 1];
  const month = /^(\d{4})-(\d\d)(?:-\d\d)?$/.exec(text);
  return month ? [Number(month[1]), Number(month[2]) - 1] : null;
}

/**
 * Columns titled by their periods: "Apr 2025", "Apr – Jun 2025".
 * @param start the record's start of the first period: 2025-2026, 2025-04 or 2025-04-01
 * @param startMonth the first month of the financial year, 1 to 12
 */
export function withPeriodTitles(columns: Field[], unit: Periods['unit'], start: unknown, startMonth: number): Field[] {
  const from = firstMonth(start, startMonth);
  if (!from) return columns;
  const months = unit === 'month' ? 1 : 3;
  const name = (at: number) => {
    const day = new Date(Date.UTC(from[0], from[1] + at, 1)).toISOString();
    return formatValue({ type: 'month' } as Field, day.slice(0, 7));
  };
  return columns.map((column) => {
    const { period } = column;
    if (!period) return column;
    const [first, last] = [period.first * months, (period.first + period.count) * months - 1];
    return { ...column, title: first === last ? name(first) : `${name(first).split(' ')[0]} – ${name(last)}` };
  });
}

/**
 * The months of each period as YYYY-MM, in order; none if the record does not define the start.
 * @param start the record's start of the first period
 * @param startMonth the first month of the financial year, 1 to 12
 */
export function monthsOfPeriods({ unit, count }: Periods, start: unknown, startMonth: number): string[][] {
  const from = firstMonth(start, startMonth);
  if (!from) return [];
  const months = unit === 'month' ? 1 : 3;
  return Array.from({ length: count }, (_, at) =>
    Array.from({ length: months }, (__, step) =>
      new Date(Date.UTC(from[0], from[1] + at * months + step, 1)).toISOString().slice(0, 7),
    ),
  );
}

/**
 * The columns of closed periods, by name: those with a closed month, and those before the closing date.
 * @param until the last closed month or day
 */
export function columnsOfMonths(
  periods: Periods,
  months: readonly (readonly string[])[],
  closed: ReadonlySet<string>,
  until: unknown,
): Set<string> {
  return new Set(
    months.flatMap((inside, at) =>
      inside.some((month) => closed.has(month)) || isClosedUntil(inside.at(-1)!, until)
        ? [numbered(periods.field, at)]
        : [],
    ),
  );
}

/** Whether a month is closed, given the last closed month or day. */
function isClosedUntil(month: string, until: unknown): boolean {
  const text = String(until ?? '');
  if (/^\d{4}-\d\d$/.test(text)) return month <= text;
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) <= text;
}
