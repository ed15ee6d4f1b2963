import type { FilterExpression, Screen, WireRecord } from '../../../../descriptor/types.ts';
import { addDays, addMonths, weekday } from '../../fields/calendar/days.ts';
import { monthNames } from '../../../../domain/month_names.ts';
import type { DaysShown, ShownSpan } from '../../days_shown.ts';
import { shareOf, spanOf } from '../../days_shown.ts';
import type { Tone } from '../../landing/cell_text.ts';
import { badgeTone, cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';
import { formatDate } from '../../../../descriptor/format.ts';

export type Zoom = 'month' | 'quarter' | 'year';

/** The period shown. */
export type Period = DaysShown;

/** A record between two days. */
export interface Bar extends ShownSpan {
  record: WireRecord;
  title: string;
  /** Its full description. */
  words: string;
  tone: Tone;
}

/** A line of the timeline: the heading of a lane, or non-overlapping bars. */
export type Line = { key: string; lane: string; count: number } | { key: string; bars: Bar[] };

/** The month, quarter or year around a day. */
export function periodAround(day: string, zoom: Zoom): Period {
  const month = Number(day.slice(5, 7)) - 1;
  const begins = zoom === 'year' ? 0 : zoom === 'quarter' ? month - (month % 3) : month;
  const first = `${day.slice(0, 4)}-${String(begins + 1).padStart(2, '0')}-01`;
  return { first, last: addDays(addMonths(first, { month: 1, quarter: 3, year: 12 }[zoom]), -1) };
}

/** The day shown after moving by this many periods. */
export function turned(day: string, zoom: Zoom, pages: number): string {
  return addMonths(periodAround(day, zoom).first, pages * { month: 1, quarter: 3, year: 12 }[zoom]);
}

export function periodInWords({ first }: Period, zoom: Zoom): string {
  const year = first.slice(0, 4);
  const month = Number(first.slice(5, 7)) - 1;
  if (zoom === 'year') return year;
  if (zoom === 'month') return `${monthNames[month]} ${year}`;
  return `${monthNames[month]!.slice(0, 3)} – ${monthNames[month + 2]!.slice(0, 3)} ${year}`;
}

/** The starts of months, or of weeks in a month, as fractions of the period. */
export function ticks(period: Period, zoom: Zoom): { at: number; label: string }[] {
  const { first, last } = period;
  const found: { at: number; label: string }[] = [];
  for (let day = first; day <= last; day = zoom === 'month' ? addDays(day, 1) : addMonths(day, 1)) {
    if (zoom === 'month' && weekday(day) !== 0) continue;
    found.push({
      at: shareOf(period, day),
      label: zoom === 'month' ? String(Number(day.slice(8))) : monthNames[Number(day.slice(5, 7)) - 1]!.slice(0, 3),
    });
  }
  return found;
}

/** The position of a day in the period; null = outside. */
export const placeOf = (day: string, period: Period): number | null =>
  day < period.first || day > period.last ? null : shareOf(period, day);

/** The changes when a bar is moved by this many days: the duration is kept, if its last day can be changed. */
export function shiftedBy(screen: Screen, record: WireRecord, days: number, how: string): Record<string, unknown> {
  const { from, to } = screen.looks!.timeline!;
  const until = record[to];
  const last = screen.fields.find(({ name }) => name === to);
  const asked = screen.workflow?.transitions.find(({ name }) => name === how)?.ask.some(({ field }) => field === to);
  return {
    [from]: addDays(String(record[from]), days),
    ...((how === 'edit' ? last?.readOnly === false : asked === true) &&
      typeof until === 'string' && { [to]: addDays(until, days) }),
  };
}

/** The filter for records within the period. */
export function within(screen: Screen, { first, last }: Period): FilterExpression {
  const { from, to } = screen.looks!.timeline!;
  return ['and', [from, 'lte', last], ['or', [to, 'gte', first], [to, 'empty']]];
}

/**
 * The lines of the timeline: each lane with its bars on as few lines as possible. Rows are sorted by lane and first
 * day.
 */
export function linesOf(screen: Screen, rows: WireRecord[], period: Period): Line[] {
  const { from, to, lane } = screen.looks!.timeline!;
  const by = lane === undefined ? undefined : fieldOf(screen, lane);
  const state = fieldOf(screen, screen.workflow?.field ?? '');
  const barOf = (record: WireRecord): Bar => {
    const first = String(record[from]);
    const last = typeof record[to] === 'string' ? record[to] : null;
    const title = recordLabel(screen, record);
    return {
      record,
      title,
      words: [
        title,
        by && cellText(by, record),
        `${formatDate(first)} – ${last === null ? 'no end' : formatDate(last)}`,
        state && cellText(state, record),
      ]
        .filter(Boolean)
        .join(', '),
      tone: (state && badgeTone(state, record[state.name])) ?? 'brand',
      ...spanOf(period, first, last),
    };
  };
  const lanes = Map.groupBy(rows, (record) => (by ? cellText(by, record) : ''));
  return [...lanes].flatMap(([name, held]): Line[] => {
    const stacked: Bar[][] = [];
    for (const bar of held.map(barOf).toSorted((a, b) => a.start - b.start)) {
      const free = stacked.find((bars) => bars.at(-1)!.end <= bar.start);
      if (free) free.push(bar);
      else stacked.push([bar]);
    }
    return [
      ...(by
        ? [{ key: `lane ${name}`, lane: name === '' ? `No ${by.title.toLowerCase()}` : name, count: held.length }]
        : []),
      ...stacked.map((bars, at) => ({ key: `${name} ${at}`, bars })),
    ];
  });
}
