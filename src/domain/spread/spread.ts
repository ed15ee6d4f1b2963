import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half away from zero. */
const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** A number, or its text as it is stored: "83333.33". */
type Amount = Decimal.Value;

/** A total cannot be spread so; the message says what to do. */
export class SpreadError extends Error {}

/** To the nearest multiple of the unit, half away from zero. */
const rounded = (value: Decimal, unit: Decimal): Decimal => value.dividedBy(unit).toDecimalPlaces(0).times(unit);

/**
 * Spreads a total over periods by their weights (planning.md §5.2): each period takes what the total by the running weight,
 * rounded, has more than those before it. The parts add to the total exactly, and none is off by more than a unit.
 * @param unit the smallest step of a part, such as 0.01 or 1000; the last period with a weight takes what is no multiple of it
 * @throws SpreadError where the weights add to 0, or some are below 0
 */
export function spread(total: Amount, weights: readonly Amount[], unit: Amount): Decimal[] {
  const whole = new Exact(total);
  const step = new Exact(unit);
  const shares = weights.map((weight) => new Exact(weight));
  const sum = shares.reduce((all, weight) => all.plus(weight), new Exact(0));
  if (shares.some((weight) => weight.isNegative() && !weight.isZero()))
    throw new SpreadError('A part cannot be less than nothing. Choose another way to spread.');
  if (sum.isZero()) throw new SpreadError('There is nothing to spread by. Choose another way to spread.');
  const last = shares.findLastIndex((weight) => !weight.isZero());
  let running = new Exact(0);
  let given = new Exact(0);
  return shares.map((weight, at) => {
    running = running.plus(weight);
    const upTo = at === last ? whole : rounded(whole.times(running).dividedBy(sum), step);
    const part = at > last ? new Exact(0) : upTo.minus(given);
    given = given.plus(part);
    return part;
  });
}

/** A period of a row: what it holds (null = nothing), and whether it keeps that. */
export interface HeldPeriod {
  value: Amount | null;
  held: boolean;
}

/**
 * Spreads a new total over the periods that are not held, in proportion to what they hold, evenly where they hold nothing or
 * cancel each other out (planning.md §5.2, example 5).
 * @throws SpreadError where all periods are held
 */
export function spreadOver(total: Amount, periods: readonly HeldPeriod[], unit: Amount): Decimal[] {
  const values = periods.map(({ value }) => new Exact(value ?? 0));
  const open = periods.flatMap(({ held }, at) => (held ? [] : [at]));
  if (open.length === 0) throw new SpreadError('All periods keep their values. Let go of one of them first.');
  const kept = periods.reduce((sum, { held }, at) => (held ? sum.plus(values[at]!) : sum), new Exact(0));
  const parts = open.map((at) => values[at]!);
  const isProportional =
    parts.some((part) => !part.isZero()) &&
    (parts.every((part) => !part.lessThan(0)) || parts.every((part) => !part.greaterThan(0)));
  const weights = isProportional ? parts.map((part) => part.abs()) : parts.map(() => 1);
  const spreadParts = spread(new Exact(total).minus(kept), weights, unit);
  return values.map((value, at) => (periods[at]!.held ? value : spreadParts[open.indexOf(at)]!));
}

/**
 * The same by weights of their own: what a cell gets depends on its weight, whatever it holds.
 * @throws SpreadError where all cells are held, or the weights of the others give nothing to spread by
 */
export function spreadByWeight(
  total: Amount,
  cells: readonly (HeldPeriod & { weight: Amount | null })[],
  unit: Amount,
): Decimal[] {
  const open = cells.filter(({ held }) => !held);
  if (open.length === 0) throw new SpreadError('All periods keep their values. Let go of one of them first.');
  const kept = cells.reduce((sum, { held, value }) => (held ? sum.plus(value ?? 0) : sum), new Exact(0));
  const weights = open.map(({ weight }) => weight ?? 0);
  const parts = spread(new Exact(total).minus(kept), weights, unit);
  const byCell = new Map(open.map((cell, at) => [cell, parts[at]!]));
  return cells.map((cell) => byCell.get(cell) ?? new Exact(cell.value ?? 0));
}

/** Last year's periods, each with the growth of so many percent, rounded to the unit; the total is what comes of it. */
export function grown(lastYear: readonly Amount[], percent: Amount, unit: Amount): Decimal[] {
  const factor = new Exact(percent).dividedBy(100).plus(1);
  return lastYear.map((value) => rounded(new Exact(value).times(factor), new Exact(unit)));
}

/** A first period, and each next one with the growth of so many percent on the one before: first × (1 + g)^(k−1), rounded. */
export function compounded(first: Amount, percent: Amount, count: number, unit: Amount): Decimal[] {
  const factor = new Exact(percent).dividedBy(100).plus(1);
  return Array.from({ length: count }, (_, at) => rounded(new Exact(first).times(factor.pow(at)), new Exact(unit)));
}
