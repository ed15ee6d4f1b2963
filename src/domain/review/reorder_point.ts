/**
 * Reorder point and order quantity of a stock line (performance.md §5.18). Published test vectors: Chopra and Meindl,
 * Supply Chain Management (safety stock with fixed, reviewed and uncertain lead times).
 */

/** Demand and supply of a line in a store. */
export interface LineDemand {
  /** Mean and deviation of the daily sales in pieces. */
  aDay: number;
  deviation: number;
  leadDays: number;
  /** Deviation of the lead time, in days. */
  leadDeviation: number;
  reviewDays: number;
  servicePercent: number;
}

export interface ReorderPoint {
  /** The reorder point and the order-up-to level, in pieces. */
  reorder: number;
  upTo: number;
  safety: number;
}

/** Below this demand during the lead time, pieces are treated as discrete. */
const FEW = 10;
/** Up to this ratio of variance to mean, demand is treated as independent single sales. */
const POISSON_UP_TO = 1.2;

/** The number of deviations that covers a share of a normal distribution, by Newton’s method. */
export function normalQuantile(share: number): number {
  let z = 0;
  for (let round = 0; round < 60; round++) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const step = Math.max(-1, Math.min(1, (share - normalShare(z)) / density));
    z += step;
    if (Math.abs(step) < 1e-12) break;
  }
  return z;
}

/** The share of a normal distribution below z, by its series. */
function normalShare(z: number): number {
  let [term, total] = [z, z];
  for (let at = 1; Math.abs(term) > 1e-16 && at < 400; at++) {
    term *= (z * z) / (2 * at + 1);
    total += term;
  }
  return 0.5 + (total * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The smallest number of pieces that covers the demand with a probability, and that probability. */
export function fewPieces(mean: number, variance: number, share: number): { pieces: number; probability: number } {
  if (mean <= 0) return { pieces: 0, probability: 1 };
  const isPoisson = variance / mean <= POISSON_UP_TO;
  const size = isPoisson ? 0 : (mean * mean) / (variance - mean);
  const success = isPoisson ? 0 : mean / variance;
  let term = isPoisson ? Math.exp(-mean) : success ** size;
  let probability = term;
  let pieces = 0;
  while (probability < share && pieces < 10_000) {
    pieces++;
    term *= isPoisson ? mean / pieces : ((size + pieces - 1) / pieces) * (1 - success);
    probability += term;
  }
  return { pieces, probability };
}

/** Computes the reorder point and the order-up-to level. */
export function reorderPoint(demand: LineDemand): ReorderPoint {
  const { aDay, deviation, leadDays, leadDeviation, reviewDays, servicePercent } = demand;
  const share = servicePercent / 100;
  const ofLead = aDay ** 2 * leadDeviation ** 2;
  const z = normalQuantile(share);
  const safety = z * Math.sqrt((leadDays + reviewDays) * deviation ** 2 + ofLead);
  const upTo = aDay * (leadDays + reviewDays) + safety;
  const variance = leadDays * deviation ** 2 + ofLead;
  const mean = aDay * leadDays;
  const reorder = mean < FEW ? fewPieces(mean, variance, share).pieces : mean + z * Math.sqrt(variance);
  return { reorder, upTo: Math.max(upTo, reorder), safety };
}

/** The quantity to order now, in whole packs. */
export function orderNow({ reorder, upTo }: ReorderPoint, has: number, pack: number): number {
  if (has > Math.ceil(reorder)) return 0;
  const missing = Math.ceil(upTo) - has;
  return missing <= 0 ? 0 : Math.ceil(missing / pack) * pack;
}
