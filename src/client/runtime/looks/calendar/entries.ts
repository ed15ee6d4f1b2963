import { clockIn, momentIn, place } from '../../../../descriptor/place.ts';
import type { FilterExpression, Screen, WireRecord } from '../../../../descriptor/types.ts';
import { addDays, addMonths, monthNames, weekday, weeksOf } from '../../fields/calendar/days.ts';
import type { Tone } from '../../landing/cell_text.ts';
import { badgeTone, cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';

export type Span = 'month' | 'week' | 'day';

/** A record as it stands on one day. */
export interface Entry {
  record: WireRecord;
  title: string;
  /** HH:MM of a moment; empty of a whole day. */
  time: string;
  /** How far the record is, in words, and the colour of that. */
  state: string;
  tone: Tone;
  /** It began on an earlier day. */
  continued: boolean;
}

/** The days of a month, week or day around a day, by weeks. */
export function daysAround(day: string, span: Span): string[][] {
  if (span === 'day') return [[day]];
  if (span === 'month') return weeksOf(day.slice(0, 7));
  const monday = addDays(day, -weekday(day));
  return [Array.from({ length: 7 }, (_, at) => addDays(monday, at))];
}

/** The day that is looked at after turning the page. */
export function turned(day: string, span: Span, pages: number): string {
  return span === 'month' ? addMonths(day, pages) : addDays(day, pages * (span === 'week' ? 7 : 1));
}

const short = (day: string) => `${Number(day.slice(8))} ${monthNames[Number(day.slice(5, 7)) - 1]}`;

/** What is shown, in words: "November 2025", "17 November – 23 November 2025". */
export function spanInWords(day: string, span: Span): string {
  const year = day.slice(0, 4);
  if (span === 'month') return `${monthNames[Number(day.slice(5, 7)) - 1]} ${year}`;
  if (span === 'day') return `${short(day)} ${year}`;
  const [week = []] = daysAround(day, 'week');
  const last = week.at(-1)!;
  return `${short(week[0]!)} – ${short(last)} ${last.slice(0, 4)}`;
}

/** Which records stand on the days from first to last. Moments are compared as such: a day is that of the person's zone. */
export function within(screen: Screen, first: string, last: string): FilterExpression {
  const { date, to } = screen.looks!.calendar!;
  const field = screen.fields.find(({ name }) => name === date)!;
  if (field.type === 'datetime') {
    const { timezone } = place();
    const at = (day: string) => new Date(momentIn(timezone, `${day}T00:00:00`)).toISOString();
    return ['and', [date, 'gte', at(first)], [date, 'lt', at(addDays(last, 1))]];
  }
  if (to === undefined) return [date, 'between', [first, last]];
  return ['or', [date, 'between', [first, last]], ['and', [date, 'lt', first], [to, 'gte', first]]];
}

/** The records by the days on which they stand, in the order of the clock. */
export function entriesByDay(screen: Screen, rows: WireRecord[], days: readonly string[]): Map<string, Entry[]> {
  const { date, to, title } = screen.looks!.calendar!;
  const field = screen.fields.find(({ name }) => name === date)!;
  const named = title === undefined ? undefined : fieldOf(screen, title);
  const state = fieldOf(screen, screen.workflow?.field ?? '');
  const { timezone } = place();
  const found = new Map<string, Entry[]>();
  for (const record of rows) {
    const value = record[date];
    if (typeof value !== 'string') continue;
    const clock = field.type === 'datetime' ? clockIn(timezone, Date.parse(value)) : value;
    const first = clock.slice(0, 10);
    const last = to !== undefined && typeof record[to] === 'string' ? record[to] : first;
    const entry = {
      record,
      title: (named && cellText(named, record)) || recordLabel(screen, record),
      time: clock.slice(11, 16),
      state: state ? cellText(state, record) : '',
      tone: (state && badgeTone(state, record[state.name])) ?? 'brand',
    };
    for (const day of days)
      if (first <= day && day <= last)
        found.set(day, [...(found.get(day) ?? []), { ...entry, continued: day !== first }]);
  }
  for (const entries of found.values()) entries.sort((a, b) => a.time.localeCompare(b.time));
  return found;
}

/** What moving a record from one day to another changes: the time of day stays, and how long it lasts. */
export function movedBy(screen: Screen, record: WireRecord, days: number, how: string): Record<string, unknown> {
  const { date, to } = screen.looks!.calendar!;
  const field = screen.fields.find(({ name }) => name === date)!;
  const value = String(record[date]);
  if (field.type === 'datetime') {
    const { timezone } = place();
    const clock = clockIn(timezone, Date.parse(value));
    const moved = `${addDays(clock.slice(0, 10), days)}${clock.slice(10)}`;
    return { [date]: new Date(momentIn(timezone, moved)).toISOString() };
  }
  const last = to === undefined ? undefined : screen.fields.find(({ name }) => name === to);
  const until = last && record[last.name];
  return {
    [date]: addDays(value, days),
    ...(how === 'edit' &&
      last?.readOnly === false &&
      typeof until === 'string' && { [last.name]: addDays(until, days) }),
  };
}

/** The day of the person's zone on which a record begins. */
export function dayOf(screen: Screen, record: WireRecord): string {
  const { date } = screen.looks!.calendar!;
  const value = String(record[date]);
  return value.length === 10 ? value : clockIn(place().timezone, Date.parse(value)).slice(0, 10);
}
