/** The days shown on a timeline, from the first to the last. */
export interface DaysShown {
  first: string;
  last: string;
}

/** A duration as fractions of the days shown: 0 = the first day, 1 = after the last. */
export interface ShownSpan {
  start: number;
  end: number;
  /** It began before the days shown, or goes on after them. */
  before: boolean;
  after: boolean;
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The number of days shown. */
export const daysOf = ({ first, last }: DaysShown): number => daysBetween(first, last) + 1;

/** The position of a day, as a fraction of the days shown; it may be outside. */
export const shareOf = (shown: DaysShown, day: string): number => daysBetween(shown.first, day) / daysOf(shown);

/** The part of a duration that is shown, at least a day. @param until null = it has no end */
export function spanOf(shown: DaysShown, from: string, until: string | null): ShownSpan {
  const start = Math.max(0, shareOf(shown, from));
  const day = 1 / daysOf(shown);
  const end = until === null ? 1 : Math.min(1, shareOf(shown, until) + day);
  return {
    start,
    end: Math.max(end, start + day),
    before: from < shown.first,
    after: until === null || until > shown.last,
  };
}
