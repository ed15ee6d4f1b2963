import { formatDate } from '../../../descriptor/format.ts';
import type { Timeline, TimelineBar } from '../../../domain/report.ts';
import type { ShownSpan } from '../days_shown.ts';
import { shareOf, spanOf } from '../days_shown.ts';

/** A bar as drawn. */
export interface DrawnBar extends TimelineBar, ShownSpan {
  /** Its full description. */
  words: string;
}

/** The starts of the years, as fractions of the days shown. */
export function yearMarks(timeline: Timeline): { at: number; label: string }[] {
  const years = Number(timeline.last.slice(0, 4)) - Number(timeline.first.slice(0, 4));
  return Array.from({ length: years }, (_, at) => String(Number(timeline.first.slice(0, 4)) + at + 1)).map((label) => ({
    at: shareOf(timeline, `${label}-01-01`),
    label,
  }));
}

/** The lanes in their order, each with the bars that are within the days shown. */
export function lanesOf(timeline: Timeline): { lane: string; bars: DrawnBar[] }[] {
  const drawn = timeline.bars.flatMap((bar): DrawnBar[] => {
    const { lane, title, from, until } = bar;
    if (from > timeline.last || (until !== null && until < timeline.first)) return [];
    return [
      {
        ...bar,
        ...spanOf(timeline, from, until),
        words: `${lane}: ${title}, ${formatDate(from)} – ${until === null ? 'no end' : formatDate(until)}`,
      },
    ];
  });
  const byLane = Map.groupBy(drawn, ({ lane }) => lane);
  return [...new Set(timeline.bars.map(({ lane }) => lane))].map((lane) => ({ lane, bars: byLane.get(lane) ?? [] }));
}
