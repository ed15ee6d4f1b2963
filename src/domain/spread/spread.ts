import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half away from zero. */
const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** A number, or its stored text: "83333.33". */
type Amount = Decimal.Value;

/** A total that cannot be distributed; the message says what to do. */
export class SpreadError extends Error {}

/** To the nearest multiple of the unit, half away from zero. */
const rounded = (value: Decimal, unit: Decimal): Decimal => value.dividedBy(unit).toDecimalPlaces(0).times(unit);

/**
 * Distributes a total over periods by weight (planning.md §5.2): each period gets the rounded cumulative share minus
 * the previous one. The parts add up to the total exactly, and none is off by more than a unit.
 * @param unit the smallest step of a part, such as 0.01 or 1000; the last period with a weight gets the remainder
 * @throws SpreadError if the weights add up to 0, or some are negative
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

/** A period of a row: its value (null = empty), and whether it is fixed. */
export interface HeldPeriod {
  value: Amount | null;
  held: boolean;
}

/**
 * Distributes a new total over the periods that are not fixed, in proportion to their values, or evenly if they are
 * empty or cancel out (planning.md §5.2, example 5).
 * @throws SpreadError if all periods are fixed
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
 * The same with separate weights, regardless of the cells' values.
 * @throws SpreadError if all cells are fixed, or the weights of the others are zero
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

/** Last year's periods, each with this percentage of growth, rounded to the unit; the total is the result. */
export function grown(lastYear: readonly Amount[], percent: Amount, unit: Amount): Decimal[] {
  const factor = new Exact(percent).dividedBy(100).plus(1);
  return lastYear.map((value) => rounded(new Exact(value).times(factor), new Exact(unit)));
}

/**
 * A first period, and each following one with this percentage of growth over the previous: first × (1 + g)^(k−1),
 * rounded.
 */
export function compounded(first: Amount, percent: Amount, count: number, unit: Amount): Decimal[] {
  const factor = new Exact(percent).dividedBy(100).plus(1);
  return Array.from({ length: count }, (_, at) => rounded(new Exact(first).times(factor.pow(at)), new Exact(unit)));
}
