import type { Parsed } from './field_type.ts';
import { written } from './written.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const two = (value: number) => String(value).padStart(2, '0');

/** What may follow a day: a time as written by databases and programs, and its zone. */
const TIME_OF_DAY =
  /^ *(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?: ?[ap]m)? ?(?:z|utc|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?)?$/i;

/** True for a day that the calendar has. */
export function dayExists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * A date as people write it: 31-03-2025, 31/3/25, 31 Mar 2025, 2025-03-31, an Excel date or serial number.
 * The value is YYYY-MM-DD.
 */
export function parseDate(input: unknown): Parsed {
  if (input === null || input === undefined || input === '') return { value: null };
  if (input instanceof Date) {
    if (Number.isNaN(input.getTime())) return { error: 'Enter a date as DD-MM-YYYY.' };
    // Spreadsheets have a few milliseconds of rounding error around midnight.
    return { value: new Date(Math.round(input.getTime() / 60_000) * 60_000).toISOString().slice(0, 10) };
  }
  if (typeof input === 'number') {
    if (!Number.isFinite(input) || input < 1 || input > 2_958_465) return { error: 'Enter a date as DD-MM-YYYY.' };
    return { value: new Date(Math.round((input - 25_569) * 86_400_000)).toISOString().slice(0, 10) };
  }
  const text = written(input)
    .trim()
    .replace(/^(\d{1,2})(st|nd|rd|th)\b/i, '$1');
  let parts: [number, number, number] | null = null;
  let match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](.*))?$/.exec(text);
  if (match && (match[4] === undefined || TIME_OF_DAY.test(match[4])))
    parts = [Number(match[1]), Number(match[2]), Number(match[3])];
  match = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{2}|\d{4})$/.exec(text);
  if (match) parts = [fullYear(match[3]!), Number(match[2]), Number(match[1])];
  match = /^(\d{1,2})[-/. ]?([a-z]{3})[a-z]*[-/., ]*(\d{2}|\d{4})$/i.exec(text);
  if (match) parts = [fullYear(match[3]!), MONTHS.indexOf(match[2]!.toLowerCase()) + 1, Number(match[1])];
  if (parts === null) return { error: 'Enter a date as DD-MM-YYYY.' };
  const [year, month, day] = parts;
  if (!dayExists(year, month, day))
    return {
      error: `${text} is not a day of the calendar.${dayExists(year, day, month) ? ' Write the day first: DD-MM-YYYY.' : ''}`,
    };
  return { value: `${year}-${two(month)}-${two(day)}` };
}

function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year + (year < 70 ? 2000 : 1900);
}

/** 9:5, 09:05, 9.30 pm → HH:MM; with seconds HH:MM:SS. */
export function parseTime(input: unknown, seconds = false): Parsed {
  if (input === null || input === undefined || input === '') return { value: null };
  if (input instanceof Date) return { value: input.toISOString().slice(11, 16) };
  if (typeof input === 'number' && input >= 0 && input < 1) {
    const minutes = Math.round(input * 1440);
    return { value: `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}` };
  }
  const match = /^(\d{1,2})[:.](\d{1,2})(?::(\d{1,2}))?\s*(am|pm)?$/i.exec(written(input).trim());
  let hour = Number(match?.[1]);
  const minute = Number(match?.[2]);
  const second = Number(match?.[3] ?? 0);
  const half = match?.[4]?.toLowerCase();
  if (half === 'pm' && hour < 12) hour += 12;
  if (half === 'am' && hour === 12) hour = 0;
  if (!match || hour > 23 || minute > 59 || second > 59)
    return { error: `Enter a time as HH:MM${seconds ? ':SS' : ''}.` };
  return { value: `${two(hour)}:${two(minute)}${seconds ? `:${two(second)}` : ''}` };
}
