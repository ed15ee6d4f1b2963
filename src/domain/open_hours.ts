import { DateTime } from 'luxon';
import { addDays } from './dashboard_span.ts';

/** Start and end, in milliseconds. */
export type Span = readonly [from: number, to: number];
/** Which part of a day is off. */
export type DayPart = 'none' | 'full' | 'first_half' | 'second_half';

/** When a business works. */
export interface OpenHours {
  timezone: string | null;
  /** Always open: neither hours nor days off count. */
  roundTheClock: boolean;
  /** Monday first: start and end of each interval, HH:MM. */
  hours: readonly (readonly (readonly [from: string, to: string])[])[];
  /** Which part of a day is off because of holidays and week-offs. */
  off(day: string): DayPart;
}

/** The limit of the search for working time. */
const FAR_DAYS = 3_660;

/** The open intervals from a point in time on, in order; endless if it is always open. */
export function* opensFrom(hours: OpenHours, from: number): Generator<Span> {
  if (hours.roundTheClock) {
    yield [from, Number.POSITIVE_INFINITY];
    return;
  }
  let date = DateTime.fromMillis(from, { zone: hours.timezone ?? 'local' }).toISODate()!;
  for (let looked = 0; looked < FAR_DAYS; looked++, date = addDays(date, 1))
    for (const [begins, ends] of spansOfDay(hours, date)) if (ends > from) yield [Math.max(begins, from), ends];
}

/** A sweep asks for the same days again and again, and a day's place in its time zone takes long to find. */
const spansKnown = new WeakMap<OpenHours, Map<string, Span[]>>();

function spansOfDay(hours: OpenHours, date: string): Span[] {
  const known = spansKnown.get(hours) ?? new Map<string, Span[]>();
  spansKnown.set(hours, known);
  const spans = known.get(date) ?? findSpans(hours, date);
  known.set(date, spans);
  return spans;
}

function findSpans({ hours, off, timezone }: OpenHours, date: string): Span[] {
  const day = DateTime.fromISO(date, { zone: timezone ?? 'local' });
  const intervals = hours[day.weekday - 1] ?? [];
  if (intervals.length === 0) return [];
  const part = off(date);
  if (part === 'full') return [];
  const spans = intervals
    .map(([from, to]): Span => [at(day, from), at(day, to)])
    .filter(([from, to]) => to > from)
    .toSorted((one, other) => one[0] - other[0]);
  if (part === 'none') return spans;
  const half = spans.reduce((sum, [from, to]) => sum + to - from, 0) / 2;
  return part === 'first_half' ? after(spans, half) : before(spans, half);
}

function at(day: DateTime, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return (hour === 24 ? day.plus({ days: 1 }).startOf('day') : day.set({ hour, minute })).toMillis();
}

function before(spans: Span[], length: number): Span[] {
  let left = length;
  return spans.flatMap(([from, to]): Span[] => {
    const taken = Math.min(left, to - from);
    left -= taken;
    return taken > 0 ? [[from, from + taken]] : [];
  });
}

function after(spans: Span[], length: number): Span[] {
  let left = length;
  return spans.flatMap(([from, to]): Span[] => {
    const passed = Math.min(left, to - from);
    left -= passed;
    return from + passed < to ? [[from + passed, to]] : [];
  });
}

/** Whether a business is open on a day at all. */
export function opensOn(hours: OpenHours, day: string): boolean {
  return hours.roundTheClock || spansOfDay(hours, day).length > 0;
}

/** How long a business is open between two points in time, in milliseconds. */
export function openBetween(hours: OpenHours, from: number, to: number): number {
  let sum = 0;
  for (const [begins, ends] of opensFrom(hours, from)) {
    if (begins >= to) break;
    sum += Math.min(ends, to) - begins;
  }
  return sum;
}

/** The time at which a business has been open for this long; null = never. */
export function afterOpen(hours: OpenHours, from: number, length: number): number | null {
  let left = length;
  if (left <= 0) return from;
  for (const [begins, ends] of opensFrom(hours, from)) {
    if (left <= ends - begins) return begins + left;
    left -= ends - begins;
  }
  return null;
}
