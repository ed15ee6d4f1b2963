import { dayExists } from '../fieldtypes/calendar.ts';
import { Exact } from '../exact.ts';
import { wholeFinancialYear } from '../financial_year.ts';
import { momentNow, place, today } from '../place.ts';
import { ExpressionError, compare, dayOf, number, text } from './value.ts';
import type { Value } from './value.ts';

export interface ExpressionFunction {
  min: number;
  max: number;
  call: (args: Value[]) => Value;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** A point in time in milliseconds. */
function moment(value: Value): number | null {
  if (value === null || value === '') return null;
  const time = /^\d{4}-\d\d-\d\dT/.test(text(value)) ? Date.parse(text(value)) : Number.NaN;
  if (Number.isNaN(time)) throw new ExpressionError(`"${text(value)}" is not a date and time`);
  return time;
}

function day(value: Value): number | null {
  if (value === null || value === '') return null;
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(dayOf(text(value)));
  if (!match || !dayExists(Number(match[1]), Number(match[2]), Number(match[3])))
    throw new ExpressionError(`"${text(value)}" is not a date`);
  return Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
}
function isoDay(time: number): string {
  const date = new Date(time);
  if (!(date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999))
    throw new ExpressionError('the date is beyond the year 9999');
  return date.toISOString().slice(0, 10);
}

/** Adds months, keeping the day but limiting it to the end of the month: 31-08-2024 + 6 → 28-02-2025. */
export function addMonths(date: string, months: number): string {
  const [year, month, dayOfMonth] = date.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(dayOfMonth, last)));
}

/** Completed years from `from` to `to`. */
export function completedYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : []);
/** Whether any or all are true: unknown while some are unknown and the others do not decide it. */
const decided = (conditions: Value[], deciding: boolean): Value =>
  conditions.includes(deciding) ? deciding : conditions.every((holds) => holds === !deciding) ? !deciding : null;
const list = (args: Value[]): Value[] => (args.length === 1 && Array.isArray(args[0]) ? args[0] : args);
const numbers = (args: Value[]) => list(args).flatMap((value) => number(value) ?? []);
/** The smallest or largest of values of one kind (numbers, dates, texts). */
function extreme(args: Value[], isBefore: (order: number) => boolean): Value {
  const all = list(args).filter((value) => !isEmpty(value));
  return all.reduce((best, value) => (isBefore(compare(value, best)!) ? value : best), all[0] ?? null);
}
const flat = (args: Value[]): Value[] => args.flatMap((value) => (Array.isArray(value) ? flat(value) : [value]));
const isEmpty = (value: Value) => value === null || value === '' || (Array.isArray(value) && value.length === 0);

function rounding(mode: 'round' | 'ceil' | 'floor'): ExpressionFunction {
  const modes = { round: Exact.ROUND_HALF_UP, ceil: Exact.ROUND_CEIL, floor: Exact.ROUND_FLOOR } as const;
  return {
    min: 1,
    max: 2,
    call: ([value = null, places = null]) =>
      number(value)?.toDecimalPlaces(number(places)?.toNumber() ?? 0, modes[mode]) ?? null,
  };
}

/** The functions an expression may call, by name: the whitelist. */
export const functions: Record<string, ExpressionFunction> = {
  round: rounding('round'),
  ceil: rounding('ceil'),
  floor: rounding('floor'),
  round_to: {
    min: 2,
    max: 2,
    call: ([value = null, step = null]) => {
      const [amount, by] = [number(value), number(step)];
      if (amount === null || by === null) return null;
      if (!by.greaterThan(0)) throw new ExpressionError('the step must be more than 0');
      return amount.dividedBy(by).toDecimalPlaces(0, Exact.ROUND_HALF_UP).times(by);
    },
  },
  abs: { min: 1, max: 1, call: ([value = null]) => number(value)?.abs() ?? null },
  min: { min: 1, max: 50, call: (args) => extreme(args, (order) => order < 0) },
  max: { min: 1, max: 50, call: (args) => extreme(args, (order) => order > 0) },
  sum: { min: 1, max: 50, call: (args) => numbers(args).reduce((total, value) => total.plus(value), new Exact(0)) },
  any: { min: 2, max: 2, call: ([conditions = null]) => decided(listOf(conditions), true) },
  all: { min: 2, max: 2, call: ([conditions = null]) => decided(listOf(conditions), false) },
  count: {
    min: 1,
    max: 2,
    call: ([value = null]) => new Exact(Array.isArray(value) ? value.filter((item) => !isEmpty(item)).length : 0),
  },
  len: {
    min: 1,
    max: 1,
    call: ([value = null]) => new Exact(Array.isArray(value) ? value.length : text(value).length),
  },
  today: { min: 0, max: 0, call: () => today() },
  now: { min: 0, max: 0, call: () => new Date(momentNow()).toISOString() },
  financial_year: {
    min: 1,
    max: 1,
    call: ([value = null]) => {
      const time = day(value);
      return time === null ? null : wholeFinancialYear(isoDay(time), place().fyStartMonth);
    },
  },
  year: {
    min: 1,
    max: 1,
    call: ([value = null]) => {
      const time = day(value);
      return time === null ? null : new Exact(new Date(time).getUTCFullYear());
    },
  },
  month: {
    min: 1,
    max: 1,
    call: ([value = null]) => {
      const time = day(value);
      return time === null ? null : new Exact(new Date(time).getUTCMonth() + 1);
    },
  },
  weekday: {
    min: 1,
    max: 1,
    call: ([value = null]) => {
      const time = day(value);
      return time === null ? null : new Exact(((new Date(time).getUTCDay() + 6) % 7) + 1);
    },
  },
  add_months: {
    min: 2,
    max: 2,
    call: ([date = null, months = null]) => {
      const time = day(date);
      const by = number(months);
      return time === null || by === null ? null : addMonths(isoDay(time), by.toNumber());
    },
  },
  add_days: {
    min: 2,
    max: 2,
    call: ([date = null, days = null]) => {
      const time = day(date);
      const by = number(days);
      return time === null || by === null ? null : isoDay(time + by.toNumber() * DAY);
    },
  },
  days_between: {
    min: 2,
    max: 2,
    call: ([from = null, to = null]) => {
      const [a, b] = [day(from), day(to)];
      return a === null || b === null ? null : new Exact(Math.round((b - a) / DAY));
    },
  },
  hours_between: {
    min: 2,
    max: 2,
    call: ([from = null, to = null]) => {
      const [a, b] = [moment(from), moment(to)];
      return a === null || b === null ? null : new Exact(b - a).dividedBy(HOUR);
    },
  },
  age: {
    min: 1,
    max: 2,
    call: ([born = null, at = null]) => {
      const [from, to] = [day(born), day(at) ?? day(today())];
      return from === null || to === null ? null : new Exact(completedYears(isoDay(from), isoDay(to)));
    },
  },
  concat: { min: 1, max: 50, call: (args) => flat(args).map(text).join('') },
  join: {
    min: 2,
    max: 50,
    call: ([separator = null, ...parts]) =>
      flat(parts)
        .map(text)
        .filter((part) => part !== '')
        .join(text(separator)),
  },
  upper: { min: 1, max: 1, call: ([value = null]) => (value === null ? null : text(value).toUpperCase()) },
  lower: { min: 1, max: 1, call: ([value = null]) => (value === null ? null : text(value).toLowerCase()) },
  starts_with: {
    min: 2,
    max: 2,
    call: ([value = null, begin = null]) =>
      isEmpty(value) || isEmpty(begin) ? null : text(value).startsWith(text(begin)),
  },
  contains: {
    min: 2,
    max: 2,
    call: ([value = null, part = null]) => (isEmpty(value) || isEmpty(part) ? null : text(value).includes(text(part))),
  },
  is_empty: { min: 1, max: 1, call: ([value = null]) => isEmpty(value) },
  coalesce: { min: 1, max: 50, call: (args) => args.find((value) => !isEmpty(value)) ?? null },
  between: {
    min: 3,
    max: 3,
    call: ([value = null, from = null, to = null]) => {
      const [a, b] = [compare(value, from), compare(value, to)];
      return a === null || b === null ? null : a >= 0 && b <= 0;
    },
  },
};
