import { Exact } from '../exact.ts';
import { dayExists } from './calendar.ts';
import { grouped } from '../money.ts';
import { decimalOf, hasLostDigits } from './decimal_numbers.ts';

const INTEGER_MAX = 2_147_483_647;
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):?[0-5]\d)?)?$/;

/** True for a text that PostgreSQL can store: no character 0, no half of a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * The requirement of a PostgreSQL column type that a value violates, as the end of a sentence ("is a whole number …");
 * null = it fits. Every value is checked here before it becomes part of a statement.
 */
export function columnMisfit(sql: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (sql.endsWith('[]')) {
    if (!Array.isArray(value)) return 'is a list';
    for (const item of value) {
      const misfit = item === null ? 'has no empty entries' : columnMisfit(sql.slice(0, -2), item);
      if (misfit !== null) return misfit;
    }
    return null;
  }
  switch (sql) {
    case 'text':
      if (typeof value !== 'string') return 'is a text';
      return isStorable(value) ? null : 'contains a character that cannot be stored. Type it again';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'is true or false';
    case 'integer':
      return fitsWhole(value, INTEGER_MAX) ? null : `is a whole number, at most ${grouped(String(INTEGER_MAX))}`;
    case 'bigint':
      return fitsWhole(value, Number.MAX_SAFE_INTEGER) ? null : 'is the number of a record';
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value)
        ? null
        : 'is a day of the calendar, as YYYY-MM-DD';
    case 'timestamptz':
      if (value instanceof Date) return null;
      return typeof value === 'string' && MOMENT.test(value) && isDay(value)
        ? null
        : 'is a date and time such as 2025-06-10T09:30:00+05:30';
    case 'time':
      return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value)
        ? null
        : 'is a time as HH:MM';
    case 'jsonb':
      return isStorableJson(value) ? null : 'contains a character that cannot be stored. Type it again';
    default:
      return sql.startsWith('numeric') ? numericMisfit(sql, value) : null;
  }
}

function fitsWhole(value: unknown, max: number): boolean {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Math.abs(number as number) <= max;
}

function isDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  return dayExists(year, month, day);
}

/** Digits before the point by column type: `numeric(18,2)` has 16; `numeric` has the maximum of its fields, twenty. */
const WHOLE_DIGITS = new Map<string, number>();

function wholeDigits(sql: string): number {
  let digits = WHOLE_DIGITS.get(sql);
  if (digits === undefined) {
    const [, precision, scale = '0'] = /^numeric\((\d+)(?:,(\d+))?\)$/.exec(sql) ?? [];
    WHOLE_DIGITS.set(sql, (digits = precision === undefined ? 20 : Number(precision) - Number(scale)));
  }
  return digits;
}

function numericMisfit(sql: string, value: unknown): string | null {
  if (hasLostDigits(value)) return 'has more digits than a JSON number keeps. Send it as a text';
  const plain = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,40}(\.\d{1,40})?$/.test(value));
  if (!plain) return 'is a number';
  const digits = wholeDigits(sql);
  // Most amounts are short; for a thousand rows the arithmetic would take most of the time of a save.
  if (typeof value === 'string' && (value.split('.')[0] ?? '').length <= digits) return null;
  const amount = decimalOf(value);
  if (amount === null) return 'is a number';
  return amount.abs().lessThan(new Exact(10).pow(digits)) ? null : `has at most ${digits} digits before the point`;
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorableJson(item));
}
