import type { OpenHours, Span } from '../open_hours.ts';
import { openBetween } from '../open_hours.ts';

/** From this time on, a ticket is assigned to this group and person. */
export interface HoldingStart {
  at: number;
  group: number | null;
  person: number | null;
}

/** A period with one holder: business minutes during which the clock ran. */
export interface Holding {
  group: number | null;
  person: number | null;
  from: number;
  /** Null: it is still assigned to them. */
  to: number | null;
  minutes: number;
}

/**
 * The periods per holder, in order; their minutes add up to those of the clock (act 5.5). Minutes before the first
 * holder was named count for the first.
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
