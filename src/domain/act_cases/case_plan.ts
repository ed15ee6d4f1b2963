import { shiftWorkingDays } from '../working_days.ts';

/** A step of a case as its plan needs it. */
export interface PlannedStep {
  code: string;
  /** Codes of the steps that must have ended before. */
  after: readonly string[];
  /** Working days between their end and its start. */
  offset?: number;
  /** The same after some of them, by their codes, instead of the common number. */
  pauses?: Readonly<Record<string, number>>;
  /** How many working days it takes, at least 1. */
  days: number;
  /** The day on which it ended; the following steps depend on it. */
  done_on?: string | null;
  /** It has begun: its dates are fixed. */
  fixed?: { from_on: string; to_on: string } | null;
  /** Its condition is false: it is left out, and no step waits for it. */
  dropped?: boolean;
}

export interface StepDates {
  from_on: string;
  to_on: string;
}

export interface CasePlan {
  dates: Map<string, StepDates>;
  end_on: string;
  /** The critical path, from its first step. */
  critical: string[];
}

/** A step in a cycle, with its predecessor in the cycle; null if there is none. */
export function circle(
  steps: readonly Pick<PlannedStep, 'code' | 'after'>[],
): { step: string; through: string } | null {
  const byCode = new Map(steps.map((step) => [step.code, step]));
  for (const { code, after } of steps) {
    const seen = new Set<string>();
    const queue = [...after];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const before = byCode.get(at);
      if (!before || seen.has(at)) continue;
      seen.add(at);
      if (before.after.includes(code) || at === code) return { step: code, through: at };
      queue.push(...before.after);
    }
  }
  return null;
}

/**
 * The start and end of each step of a case (5.3): it starts on the first working day on which its pause after each of its
 * predecessors is over, and takes its number of working days. Steps that have ended or begun keep their days, following
 * steps are computed from them.
 * @throws Error if steps depend on each other in a cycle
 */
export function casePlan(steps: readonly PlannedStep[], start: string, works: (day: string) => boolean): CasePlan {
  if (circle(steps)) throw new Error('Steps wait for one another in a circle.');
  const live = new Map(steps.filter(({ dropped }) => dropped !== true).map((step) => [step.code, step]));
  const dates = new Map<string, StepDates>();
  const first = works(start) ? start : shiftWorkingDays(start, 1, works);
  const offsetOf = (step: PlannedStep, before: string) => step.pauses?.[before] ?? step.offset ?? 0;
  /** The day on which a step can start after one of its predecessors, which has its dates. */
  const startAfter = (step: PlannedStep, before: string) =>
    shiftWorkingDays(dates.get(before)!.to_on, 1 + offsetOf(step, before), works);
  const dateOf = (step: PlannedStep): StepDates => {
    const known = dates.get(step.code);
    if (known) return known;
    const before = step.after.filter((code) => live.has(code));
    for (const code of before) dateOf(live.get(code)!);
    const latest = before
      .map((code) => startAfter(step, code))
      .toSorted()
      .at(-1);
    let from = latest ?? shiftWorkingDays(first, step.offset ?? 0, works);
    let to = shiftWorkingDays(from, Math.max(1, step.days) - 1, works);
    if (step.fixed) ({ from_on: from, to_on: to } = step.fixed);
    if (step.done_on) {
      to = step.done_on;
      if (from > to) from = to;
    }
    const result = { from_on: from, to_on: to };
    dates.set(step.code, result);
    return result;
  };
  for (const step of live.values()) dateOf(step);
  const critical: string[] = [];
  const last = (codes: Iterable<string>, day: (code: string) => string) =>
    [...codes].filter((code) => live.has(code)).toSorted((a, b) => day(b).localeCompare(day(a)))[0];
  const endOf = (code: string) => dates.get(code)!.to_on;
  for (let at = last(live.keys(), endOf); at !== undefined;) {
    critical.unshift(at);
    const step = live.get(at)!;
    // Of predecessors after which it starts on the same day, the one that ends last.
    at = last(step.after, (code) => `${startAfter(step, code)} ${endOf(code)}`);
  }
  const end = critical.length === 0 ? first : dates.get(critical.at(-1)!)!.to_on;
  return { dates, end_on: end, critical };
}

/** The number of working days from one day up to but excluding another: by this a case that was on hold is moved. */
export function workingDaysHeld(from: string, to: string, works: (day: string) => boolean): number {
  let count = 0;
  for (let at = from; at < to; at = new Date(Date.parse(`${at}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10))
    if (works(at)) count++;
  return count;
}
