import { formatDate } from '../../../descriptor/format.ts';
import type { Timeline, TimelineBar } from '../../../domain/report.ts';

/** A bar as drawn: fractions of the days shown, 0 = the first day, 1 = after the last. */
export interface DrawnBar extends TimelineBar {
  start: number;
  end: number;
  /** It began before the days shown, or goes on after them. */
  before: boolean;
  after: boolean;
  /** Its full description. */
  words: string;
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
const lengthOf = ({ first, last }: Timeline) => daysBetween(first, last) + 1;

/** Where a day stands, as a fraction of the days shown. */
export const shareOf = (timeline: Timeline, day: string): number =>
  daysBetween(timeline.first, day) / lengthOf(timeline);

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
    const [before, after] = [from < timeline.first, until === null || until > timeline.last];
    return [
      {
        ...bar,
        start: before ? 0 : shareOf(timeline, from),
        end: after ? 1 : shareOf(timeline, until!) + 1 / lengthOf(timeline),
        before,
        after,
        words: `${lane}: ${title}, ${formatDate(from)} – ${until === null ? 'no end' : formatDate(until)}`,
      },
    ];
  });
  const byLane = Map.groupBy(drawn, ({ lane }) => lane);
  return [...new Set(timeline.bars.map(({ lane }) => lane))].map((lane) => ({ lane, bars: byLane.get(lane) ?? [] }));
}
