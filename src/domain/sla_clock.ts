import type { OpenHours, Span } from './open_hours.ts';
import { afterOpen, openBetween, opensFrom } from './open_hours.ts';

/** From this time on a clock runs, or is paused. */
export interface ClockEntry {
  at: number;
  runs: boolean;
}

/**
 * A point in time: a percentage of the target, or minutes of it; negative = before the end. `says`: several bands
 * publish one event, which names the band.
 */
export type Band = { name: string; says?: string } & ({ percent: number } | { minutes: number });

const MINUTE = 60_000;

/**
 * The intervals in which a clock ran; the last one has no end while it runs. Entries that go back in time count from
 * the previous one.
 */
export function stretchesOf(entries: readonly ClockEntry[]): Span[] {
  const stretches: [number, number][] = [];
  let running = false;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, runs } of entries) {
    last = Math.max(last, at);
    if (runs && !running) stretches.push([last, Number.POSITIVE_INFINITY]);
    else if (!runs && running) stretches.at(-1)![1] = last;
    running = runs;
  }
  return stretches;
}

/** Business minutes that a clock has run until a moment. */
export function elapsedMinutes(stretches: readonly Span[], hours: OpenHours, until: number): number {
  let sum = 0;
  for (const [from, to] of stretches) if (from < until) sum += openBetween(hours, from, Math.min(to, until));
  return sum / MINUTE;
}

/**
 * The time at which a clock has run this many minutes; null = it pauses before, or never reaches it. `goesOn`: the last
 * interval is treated as endless, for the hypothetical time.
 */
export function momentAt(
  stretches: readonly Span[],
  hours: OpenHours,
  minutes: number,
  { goesOn = false }: { goesOn?: boolean } = {},
): number | null {
  let left = Math.max(0, minutes) * MINUTE;
  for (const [place, [from, end]] of stretches.entries()) {
    const to = goesOn && place === stretches.length - 1 ? Number.POSITIVE_INFINITY : end;
    if (to === Number.POSITIVE_INFINITY) return afterOpen(hours, from, left);
    const open = openBetween(hours, from, to);
    if (left <= open) return afterOpen(hours, from, left);
    left -= open;
  }
  return null;
}

/** The minutes of a clock at which a band begins; null if it depends on a missing target. */
export function bandMinutes(band: Band, target: number | null): number | null {
  if ('percent' in band) return target === null ? null : (target * band.percent) / 100;
  if (band.minutes >= 0) return band.minutes;
  return target === null ? null : Math.max(0, target + band.minutes);
}

/** Minutes per holder: from `at` on they count for this holder, until the next. */
export function minutesByHolder(
  stretches: readonly Span[],
  holders: readonly { at: number; holder: string }[],
  hours: OpenHours,
  until: number,
): Map<string, number> {
  const shares = new Map<string, number>();
  for (const [place, { at, holder }] of holders.entries()) {
    // Minutes before the first holder was named count for the first holder.
    const from = place === 0 ? Number.NEGATIVE_INFINITY : at;
    const to = holders[place + 1]?.at ?? Number.POSITIVE_INFINITY;
    const own = stretches
      .map(([begins, ends]): Span => [Math.max(begins, from), Math.min(ends, to)])
      .filter(([begins, ends]) => ends > begins);
    shares.set(holder, (shares.get(holder) ?? 0) + elapsedMinutes(own, hours, until));
  }
  return shares;
}

/** The open intervals between two points in time, up to a maximum number: used by a browser's countdown. */
export function spansUntil(hours: OpenHours, from: number, to: number, max: number): Span[] {
  const spans: Span[] = [];
  for (const [begins, ends] of opensFrom(hours, from)) {
    if (begins >= to || spans.length >= max) break;
    spans.push([begins, Math.min(ends, to)]);
  }
  return spans;
}
