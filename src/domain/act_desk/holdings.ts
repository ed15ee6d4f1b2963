import type { OpenHours, Span } from '../open_hours.ts';
import { openBetween } from '../open_hours.ts';

/** From a moment on, a ticket is with this group and person. */
export interface HoldingStart {
  at: number;
  group: number | null;
  person: number | null;
}

/** A time with one holder: business minutes during which the clock ran. */
export interface Holding {
  group: number | null;
  person: number | null;
  from: number;
  /** Null: it is with them still. */
  to: number | null;
  minutes: number;
}

/**
 * The times with each holder, in order; their minutes add up to what the clock has run (act 5.5). What ran before anybody
 * is named is the first one's.
 * @param stretches when the clock ran
 */
export function holdingsOf(
  starts: readonly HoldingStart[],
  stretches: readonly Span[],
  hours: OpenHours,
  until: number,
): Holding[] {
  return starts.map(({ at, group, person }, place) => {
    const next = starts[place + 1]?.at ?? null;
    const from = place === 0 ? Number.NEGATIVE_INFINITY : at;
    let minutes = 0;
    for (const [begins, ends] of stretches) {
      const [first, last] = [Math.max(begins, from), Math.min(ends, next ?? until, until)];
      if (last > first) minutes += openBetween(hours, first, last) / 60_000;
    }
    return { group, person, from: at, to: next, minutes };
  });
}
