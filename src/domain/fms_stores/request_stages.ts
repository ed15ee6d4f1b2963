import { Exact } from '../../descriptor/exact.ts';

/** When a request reached each stage, in milliseconds; null = not yet. */
export interface RequestMoments {
  submitted: number;
  commercial: number | null;
  technical: number | null;
  issued: number | null;
  used: number | null;
  /** Periods on hold. `to` null = still on hold. */
  holds: readonly { from: number; to: number | null }[];
}

/** Minutes of each stage without periods on hold; null = not ended. */
export interface StageTimes {
  commercial: number | null;
  technical: number | null;
  store: number | null;
  site: number | null;
  /** From submitted to used (or to `now`), including holds. */
  total: number;
  hold: number;
  net: number;
}

const MINUTE = 60_000;

/** Stage times of a request (5.17 of the design of the stores), in minutes. `now` ends open stages. */
export function stageTimes({ holds, ...moments }: RequestMoments, now: number): StageTimes {
  const held = (from: number, to: number) =>
    holds.reduce((sum, hold) => sum + Math.max(0, Math.min(hold.to ?? now, to) - Math.max(hold.from, from)), 0);
  const stage = (from: number | null, to: number | null) =>
    from === null || to === null ? null : Math.round((to - from - held(from, to)) / MINUTE);
  const end = moments.used ?? now;
  const hold = held(moments.submitted, end);
  return {
    commercial: stage(moments.submitted, moments.commercial),
    technical: stage(moments.commercial, moments.technical),
    store: stage(moments.technical, moments.issued),
    site: stage(moments.issued, moments.used),
    total: Math.round((end - moments.submitted) / MINUTE),
    hold: Math.round(hold / MINUTE),
    net: Math.round((end - moments.submitted - hold) / MINUTE),
  };
}

/** A percentage with two decimals; null if there is no whole: fill rate, parts ratio of a contract (5.17). */
export function percentOf(part: string | number, whole: string | number): string | null {
  return new Exact(whole).isZero() ? null : new Exact(part).times(100).dividedBy(whole).toFixed(2);
}
