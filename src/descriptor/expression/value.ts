import { Decimal } from 'decimal.js';
import { Exact } from '../exact.ts';

export type Value = null | boolean | string | Decimal | Value[] | { [key: string]: Value };

/** An expression that cannot be computed for these values, and why. */
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

export function same(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (Decimal.isDecimal(a) || Decimal.isDecimal(b)) {
    try {
      const [x, y] = [number(a), number(b)];
      return x !== null && y !== null && x.equals(y);
    } catch {
      return false;
    }
  }
  return a === b;
}

/** -1, 0, 1; null when either side is empty. Dates and texts compare as written. */
export function compare(a: Value, b: Value): number | null {
  if (a === null || b === null || a === '' || b === '') return null;
  if (Decimal.isDecimal(a) || Decimal.isDecimal(b)) return number(a)!.comparedTo(number(b)!);
  const [x, y] = [text(a), text(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A plain JavaScript value as the engine sees it; numbers become exact. */
export function fromPlain(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return new Exact(value);
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value === 'object' && !Decimal.isDecimal(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromPlain(inner)]));
  return value as Value;
}
