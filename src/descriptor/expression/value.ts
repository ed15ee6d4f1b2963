import { Decimal } from 'decimal.js';
import { Exact } from '../exact.ts';
import { dayOfMoment, place } from '../place.ts';

export type Value = null | boolean | string | Decimal | Value[] | { [key: string]: Value };

/** An expression that cannot be computed for these values, with the reason. */
export class ExpressionError extends Error {}

export function number(value: Value): Decimal | null {
  if (value === null) return null;
  if (Decimal.isDecimal(value)) return value as Decimal;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return new Exact(value);
  if (typeof value === 'boolean') return new Exact(value ? 1 : 0);
  throw new ExpressionError(`"${text(value)}" is not a number`);
}

export function text(value: Value): string {
  if (value === null) return '';
  if (Decimal.isDecimal(value)) return (value as Decimal).toFixed();
  return typeof value === 'object' ? (Array.isArray(value) ? value.map(text).join(', ') : 'a row') : String(value);
}

const MOMENT = /^\d{4}-\d\d-\d\dT/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The day of a date or time as text; other texts unchanged. */
export function dayOf(written: string): string {
  if (!MOMENT.test(written)) return written;
  const moment = Date.parse(written);
  if (Number.isNaN(moment)) throw new ExpressionError(`"${written}" is not a date and time`);
  return dayOfMoment(place().timezone, moment);
}

/** The comparison of two texts: times chronologically, a time with a day by its day. */
function comparable(a: string, b: string): [string | number, string | number] {
  const [first, second] = [MOMENT.test(a), MOMENT.test(b)];
  if (first && second) return [Date.parse(a), Date.parse(b)];
  if ((first && DAY.test(b)) || (second && DAY.test(a))) return [dayOf(a), dayOf(b)];
  return [a, b];
}

export function same(a: Value, b: Value): boolean {
  const isNone = (value: Value) => value === null || (Array.isArray(value) && value.length === 0);
  if (a === null || b === null) return isNone(a) && isNone(b);
  if (Decimal.isDecimal(a) || Decimal.isDecimal(b)) {
    try {
      const [x, y] = [number(a), number(b)];
      return x !== null && y !== null && x.equals(y);
    } catch {
      return false;
    }
  }
  if (typeof a !== 'string' || typeof b !== 'string') return a === b;
  const [x, y] = comparable(a, b);
  return x === y;
}

/** -1, 0, 1; null if either side is empty. Texts and days compare as text, times chronologically. */
export function compare(a: Value, b: Value): number | null {
  if (a === null || b === null || a === '' || b === '') return null;
  if (Decimal.isDecimal(a) || Decimal.isDecimal(b)) return number(a)!.comparedTo(number(b)!);
  const [x, y] = comparable(text(a), text(b));
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A plain JavaScript value in the form used by the expression engine; numbers become exact. */
export function fromPlain(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return new Exact(value);
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value === 'object' && !Decimal.isDecimal(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromPlain(inner)]));
  return value as Value;
}
