import { clockIn, momentIn, place } from '../../../../descriptor/place.ts';
import type { FilterExpression, Screen, WireRecord } from '../../../../descriptor/types.ts';
import { addDays, addMonths, weekday, weeksOf } from '../../fields/calendar/days.ts';
import { monthNames } from '../../../../domain/month_names.ts';
import { lateness } from '../late.ts';
import type { Tone } from '../../landing/cell_text.ts';
import { badgeTone, cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';

export type Span = 'month' | 'week' | 'day' | 'agenda';

/** Minutes of a day. */
export const DAY = 1_440;
/** The displayed duration of a record without an end, and the minimum for one with an end. */
const LEAST = 30;

/** A record as shown on one day. */
export interface Entry {
  record: WireRecord;
  title: string;
  /** HH:MM of the start; empty for all day. */
  time: string;
  /** The state as text, and its colour. */
  state: string;
  tone: Tone;
  /** How late it is, if the day is one on which records fall due. */
  late: string | null;
  /** It began on an earlier day. */
  continued: boolean;
  /** Start and end in minutes of this day. */
  from: number;
  until: number;
}

/** The days of a month, week or day around a day, by weeks. */
export function daysAround(day: string, span: Span): string[][] {
  if (span === 'day') return [[day]];
  if (span === 'month' || span === 'agenda') return weeksOf(day.slice(0, 7));
  const monday = addDays(day, -weekday(day));
  return [Array.from({ length: 7 }, (_, at) => addDays(monday, at))];
}

/** The day shown after turning the page. */
export function turned(day: string, span: Span, pages: number): string {
  return span === 'month' || span === 'agenda'
    ? addMonths(day, pages)
    : addDays(day, pages * (span === 'week' ? 7 : 1));
}

const short = (day: string) => `${Number(day.slice(8))} ${monthNames[Number(day.slice(5, 7)) - 1]}`;

/** The title of the period: "November 2025", "17 November – 23 November 2025". */
export function spanInWords(day: string, span: Span): string {
  const year = day.slice(0, 4);
  if (span === 'month' || span === 'agenda') return `${monthNames[Number(day.slice(5, 7)) - 1]} ${year}`;
  if (span === 'day') return `${short(day)} ${year}`;
  const [week = []] = daysAround(day, 'week');
  const last = week.at(-1)!;
  return `${short(week[0]!)} – ${short(last)} ${last.slice(0, 4)}`;
}

/** The filter for records between two days. Times are compared as such, with days in the person's time zone. */
export function within(screen: Screen, first: string, last: string): FilterExpression {
  const { date, to } = screen.looks!.calendar!;
  const field = screen.fields.find(({ name }) => name === date)!;
  if (field.type === 'datetime') {
    const { timezone } = place();
    const at = (day: string) => new Date(momentIn(timezone, `${day}T00:00:00`)).toISOString();
    const begins: FilterExpression = ['and', [date, 'gte', at(first)], [date, 'lt', at(addDays(last, 1))]];
    return to === undefined ? begins : ['or', begins, ['and', [date, 'lt', at(first)], [to, 'gt', at(first)]]];
  }
  if (to === undefined) return [date, 'between', [first, last]];
  return ['or', [date, 'between', [first, last]], ['and', [date, 'lt', first], [to, 'gte', first]]];
}

/** The records by day, in chronological order. */
export function entriesByDay(screen: Screen, rows: WireRecord[], days: readonly string[]): Map<string, Entry[]> {
  const { date, title } = screen.looks!.calendar!;
  const field = screen.fields.find(({ name }) => name === date)!;
  const named = title === undefined ? undefined : fieldOf(screen, title);
  const state = fieldOf(screen, screen.workflow?.field ?? '');
  const isDue = screen.due?.some((due) => due.date === date) === true;
  const { timezone } = place();
  const found = new Map<string, Entry[]>();
  for (const record of rows) {
    const value = record[date];
    if (typeof value !== 'string') continue;
    const clock = field.type === 'datetime' ? clockIn(timezone, Date.parse(value)) : value;
    const first = clock.slice(0, 10);
    const end = endOf(screen, record, clock);
    const last = end.slice(0, 10);
    const minutes = (at: string) => Number(at.slice(11, 13)) * 60 + Number(at.slice(14, 16));
    const entry = {
      record,
      title: (named && cellText(named, record)) || recordLabel(screen, record),
      time: clock.slice(11, 16),
      state: state ? cellText(state, record) : '',
      late: isDue ? lateness(screen, record, field) : null,
      tone: (state && badgeTone(state, record[state.name])) ?? 'brand',
    };
    const partOf = (day: string) => {
      if (clock.length === 10) return { from: 0, until: DAY };
      const from = day === first ? minutes(clock) : 0;
      const until = day === last ? minutes(end) : DAY;
      return { from, until: Math.min(DAY, Math.max(until, from + LEAST)) };
    };
    for (const day of days)
      if (first <= day && day <= last)
        found.set(day, [...(found.get(day) ?? []), { ...entry, continued: day !== first, ...partOf(day) }]);
  }
  for (const entries of found.values()) entries.sort((a, b) => a.time.localeCompare(b.time));
  return found;
}

/** The last day of a record, or its end time; a record that ends at midnight ends on the day before. */
function endOf(screen: Screen, record: WireRecord, begin: string): string {
  const { to } = screen.looks!.calendar!;
  const value = to === undefined ? undefined : record[to];
  if (typeof value !== 'string') return begin;
  if (begin.length === 10) return value;
  const end = clockIn(place().timezone, Date.parse(value));
  if (end <= begin) return begin;
  return end.endsWith('T00:00:00') ? `${addDays(end.slice(0, 10), -1)}T24:00:00` : end;
}

/** Lays out overlapping entries side by side: each position in the width of its day, from 0 to 1. */
export function sideBySide(entries: readonly Entry[]): { entry: Entry; left: number; width: number }[] {
  const placed: { entry: Entry; left: number; width: number }[] = [];
  let group: { entry: Entry; line: number }[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const { entry, line } of group) placed.push({ entry, left: line / ends.length, width: 1 / ends.length });
    group = [];
    ends = [];
  };
  for (const entry of entries.toSorted((a, b) => a.from - b.from || b.until - a.until)) {
    if (ends.every((end) => end <= entry.from)) close();
    const free = ends.findIndex((end) => end <= entry.from);
    const line = free < 0 ? ends.length : free;
    ends[line] = entry.until;
    group.push({ entry, line });
  }
  close();
  return placed;
}

/** The changes when a record is moved to another day or time: time of day and duration are kept. */
export function movedBy(
  screen: Screen,
  record: WireRecord,
  days: number,
  how: string,
  minutes = 0,
): Record<string, unknown> {
  const { date, to } = screen.looks!.calendar!;
  const { type } = screen.fields.find(({ name }) => name === date)!;
  const moved = (value: string) => (type === 'datetime' ? momentMoved(value, days, minutes) : addDays(value, days));
  const last = to === undefined ? undefined : screen.fields.find(({ name }) => name === to);
  const until = last && record[last.name];
  return {
    [date]: moved(String(record[date])),
    ...(how === 'edit' && last?.readOnly === false && typeof until === 'string' && { [last.name]: moved(until) }),
  };
}

/** A time shifted by days and minutes, in the person's time zone. */
function momentMoved(value: string, days: number, minutes: number): string {
  const { timezone } = place();
  const clock = Date.parse(`${clockIn(timezone, Date.parse(value))}Z`) + days * 86_400_000 + minutes * 60_000;
  return new Date(momentIn(timezone, new Date(clock).toISOString().slice(0, 19))).toISOString();
}

/** The day of the person's zone on which a record begins. */
export function dayOf(screen: Screen, record: WireRecord): string {
  const { date } = screen.looks!.calendar!;
  const value = String(record[date]);
  return value.length === 10 ? value : clockIn(place().timezone, Date.parse(value)).slice(0, 10);
}
