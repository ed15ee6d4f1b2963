import type { Decimal } from 'decimal.js';
import { Exact } from '../exact.ts';
import type { Field } from '../types.ts';
import { valueOf } from './scope.ts';
import { number } from './value.ts';

/** Digits that a JavaScript number holds exactly, with one left for the sign. */
const SAFE_LENGTH = 15;

/**
 * The exact sum of a column of child rows. Most values are short decimals ("12.50"): they are added as whole numbers
 * of their smallest unit, because a thousand exact decimals take ten times as long.
 * @throws ExpressionError if a value is not a number
 */
export function columnSum(field: Field | undefined, rows: unknown, column: string): Decimal {
  let total = new Exact(0);
  if (!Array.isArray(rows)) return total;
  /** By the number of decimal places. */
  const units: number[] = [];
  for (const row of rows as (Readonly<Record<string, unknown>> | null)[]) {
    const value = row?.[column];
    if (value === null || value === undefined) continue;
    const dot = typeof value === 'string' && value.length <= SAFE_LENGTH ? plainDot(value) : null;
    if (dot === null) {
      total = total.plus(number(field ? valueOf(field, value) : (value as string)) ?? 0);
      continue;
    }
    const text = value as string;
    const places = Math.max(0, text.length - dot - 1);
    const sum = (units[places] ?? 0) + Number(text.slice(0, dot) + text.slice(dot + 1));
    if (Number.isSafeInteger(sum)) units[places] = sum;
    else total = total.plus(new Exact(text));
  }
  units.forEach((sum, places) => (total = total.plus(new Exact(`${sum}e-${places}`))));
  return total;
}

/** The place of the decimal point of a plain decimal; its length if it has none; null if it is no plain decimal. */
function plainDot(text: string): number | null {
  let dot = text.length;
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT && dot === text.length && at > first && at < text.length - 1) dot = at;
    else if (code < ZERO || code > NINE) return null;
  }
  return text.length === first ? null : dot;
}

const [MINUS, POINT, ZERO, NINE] = ['-', '.', '0', '9'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];
