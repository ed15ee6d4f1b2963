/**
 * Forecasts a series by the method with the smallest error on its own past (performance.md §5.19). Published test
 * vectors: Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 7.1, and the table of ERPNext’s issue 31640
 * for simple smoothing; a state-space implementation for Holt–Winters.
 */

export type Method = 'naive' | 'simple' | 'damped' | 'additive' | 'multiplicative' | 'rare';

export interface Parameters {
  alpha: number;
  beta: number;
  gamma: number;
  /** The share of a trend that remains from one period to the next. */
  phi: number;
}

/** A method applied to a series: its forecast of each past value (null = none), and of the coming periods. */
export interface Fit {
  expected: (number | null)[];
  ahead(steps: number): number;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

function naive(values: readonly number[], season: number): Fit {
  const step = values.length >= season ? season : 1;
  return {
    expected: values.map((_, at) => values[at - step] ?? null),
    ahead: (steps) => values[values.length - step + ((steps - 1) % step)] ?? 0,
  };
}

/** The smoothed level after each value. */
export function levels(values: readonly number[], alpha: number): number[] {
  const found: number[] = [];
  for (const value of values) found.push(found.length === 0 ? value : alpha * value + (1 - alpha) * found.at(-1)!);
  return found;
}

function simple(values: readonly number[], alpha: number): Fit {
  const found = levels(values, alpha);
  return { expected: values.map((_, at) => found[at - 1] ?? null), ahead: () => found.at(-1) ?? 0 };
}

function damped(values: readonly number[], { alpha, beta, phi }: Parameters): Fit {
  let level = values[0] ?? 0;
  let trend = (values[1] ?? level) - level;
  const expected: (number | null)[] = [null];
  for (const value of values.slice(1)) {
    const next = level + phi * trend;
    expected.push(next);
    const before = level;
    level = alpha * value + (1 - alpha) * next;
    trend = beta * (level - before) + (1 - beta) * phi * trend;
  }
  return {
    expected,
    ahead(steps) {
      let reach = 0;
      for (let at = 1; at <= steps; at++) reach += phi ** at;
      return level + reach * trend;
    },
  };
}

/** Holt–Winters; the season is updated with the level and trend before the value. */
function seasonal(values: readonly number[], season: number, { alpha, beta, gamma }: Parameters, times: boolean): Fit {
  const first = mean(values.slice(0, season));
  let level = first;
  let trend = (mean(values.slice(season, 2 * season)) - first) / season;
  const seasons = values.slice(0, season).map((value) => (times ? value / first : value - first));
  const expected: (number | null)[] = values.slice(0, season).map(() => null);
  for (const [at, value] of values.entries()) {
    if (at < season) continue;
    const own = seasons[at % season]!;
    const base = level + trend;
    expected.push(times ? base * own : base + own);
    const before = level;
    level = alpha * (times ? value / own : value - own) + (1 - alpha) * base;
    trend = beta * (level - before) + (1 - beta) * trend;
    seasons[at % season] = gamma * (times ? value / base : value - base) + (1 - gamma) * own;
  }
  return {
    expected,
    ahead(steps) {
      const own = seasons[(values.length + steps - 1) % season]!;
      const base = level + steps * trend;
      return times ? base * own : base + own;
    },
  };
}

/** For series that are mostly zero: the probability of a sale times its size (Teunter, Syntetos, Babai). */
export function rare(
  values: readonly number[],
  { alpha, beta }: Pick<Parameters, 'alpha' | 'beta'>,
  start?: { probability: number; size: number },
): Fit & { probability: number; size: number } {
  const sold = values.filter((value) => value !== 0);
  let probability = start?.probability ?? (values.length === 0 ? 0 : sold.length / values.length);
  let size = start?.size ?? mean(sold);
  const expected: (number | null)[] = [];
  for (const value of values) {
    expected.push(probability * size);
    if (value === 0) probability *= 1 - beta;
    else {
      probability += beta * (1 - probability);
      size += alpha * (value - size);
    }
  }
  return { expected, ahead: () => probability * size, probability, size };
}

/** Fits a method with given parameters. */
export function fit(values: readonly number[], season: number, method: Method, parameters: Parameters): Fit {
  if (method === 'naive') return naive(values, season);
  if (method === 'simple') return simple(values, parameters.alpha);
  if (method === 'damped') return damped(values, parameters);
  if (method === 'rare') return rare(values, parameters);
  return seasonal(values, season, parameters, method === 'multiplicative');
}

/** The error of forecasts, in the unit of the series or in percent of the actual values. */
export interface Errors {
  mae: number;
  wape: number;
  bias: number;
  /** The error relative to that of repeating last year’s value; null = that one has no error. */
  mase: number | null;
}

/** @param training the values before the first forecast, which give the error of repeating last year’s value */
export function errorsOf(
  pairs: readonly { actual: number; expected: number }[],
  training: readonly number[],
  season: number,
): Errors {
  const total = sum(pairs.map(({ actual }) => actual));
  const mae = mean(pairs.map(({ actual, expected }) => Math.abs(actual - expected)));
  const seasonOff = mean(training.slice(season).map((value, at) => Math.abs(value - training[at]!)));
  return {
    mae,
    wape: total === 0 ? 0 : (100 * mae * pairs.length) / total,
    bias: total === 0 ? 0 : (100 * sum(pairs.map(({ actual, expected }) => expected - actual))) / total,
    mase: seasonOff === 0 ? null : mae / seasonOff,
  };
}

/** The quantile of the errors that covers this share. */
export function errorBound(errors: readonly number[], share: number): number {
  const sorted = errors.map(Math.abs).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length, Math.ceil((sorted.length + 1) * share)) - 1] ?? 0;
}

const GRID = [0.1, 0.3, 0.5, 0.7, 0.9];
const SLOW = [0.05, 0.1, 0.3];

/** Candidate parameters of each method. */
function tried(method: Method): Parameters[] {
  const usual: Parameters = { alpha: 0.3, beta: 0.1, gamma: 0.3, phi: 0.9 };
  if (method === 'naive') return [usual];
  const alphas = GRID.map((alpha) => ({ ...usual, alpha }));
  if (method === 'simple') return alphas;
  const trends = alphas.flatMap((one) => SLOW.map((beta) => ({ ...one, beta })));
  if (method === 'rare') return SLOW.flatMap((alpha) => SLOW.map((beta) => ({ ...usual, alpha, beta })));
  if (method === 'damped') return trends.flatMap((one) => [0.8, 0.9, 0.98].map((phi) => ({ ...one, phi })));
  return trends.flatMap((one) => SLOW.map((gamma) => ({ ...one, gamma })));
}

/** The number of values held back one after the other in the back-test. */
const ORIGINS = 6;
const LEAST_ORIGINS = 4;
/** A more complex method must be better by this share of the error of repeating last year’s value. */
const BETTER_BY = 0.02;

/** In order of complexity. */
const RANK: readonly Method[] = ['naive', 'simple', 'damped', 'rare', 'additive', 'multiplicative'];

export interface Forecast {
  method: Method;
  /** Fewer than two seasons can be learnt from: only the simple methods were tried. */
  isShort: boolean;
  /** The naive method repeats the value before, because there is not even one season. */
  repeatsLast: boolean;
  /** One value per coming period, never negative. */
  ahead: { point: number; low: number; high: number }[];
  /** For one step ahead; null = the series is too short for a test. */
  errors: Errors | null;
  /** The errors of the methods, in percent. */
  tested: { method: Method; wape: number }[];
  /** The values held back one after the other, each beside what was forecast for it one step before. */
  held: { actual: number; expected: number }[];
}

/** The methods for which a series is long and dense enough. */
function methodsFor(values: readonly number[], season: number): Method[] {
  if (values.length < 2 * season) return ['naive', 'simple'];
  const zeros = values.filter((value) => value === 0).length / values.length;
  if (zeros > 0.4) return ['naive', 'simple', 'rare'];
  const isPositive = values.every((value) => value > 0);
  return ['naive', 'simple', 'damped', 'additive', ...(isPositive ? (['multiplicative'] as const) : [])];
}

/** The parameters with which a method has the smallest error on these values. */
function best(values: readonly number[], season: number, method: Method): Parameters {
  let found: Parameters | undefined;
  let least = Infinity;
  for (const parameters of tried(method)) {
    const { expected } = fit(values, season, method, parameters);
    let off = 0;
    for (const [at, value] of values.entries()) off += Math.abs(value - (expected[at] ?? value));
    if (found && !(off < least)) continue;
    found = parameters;
    least = off;
  }
  return found!;
}

/**
 * Forecasts a series. Null = there are no past values.
 * @param share of the intervals, such as 0.8
 */
export function forecast(values: readonly number[], season: number, steps: number, share = 0.8): Forecast | null {
  if (values.every((value) => value === 0)) return null;
  // Two seasons stay for learning where there are as many and enough is left to test with.
  const spare = values.length - 2 * season;
  const origins = Math.min(ORIGINS, spare >= LEAST_ORIGINS ? spare : values.length - season - 1);
  const cut = values.length - Math.max(0, origins);
  const training = values.slice(0, cut);
  const length = { isShort: training.length < 2 * season, repeatsLast: values.length < season };
  if (origins < LEAST_ORIGINS) {
    const method: Method = 'naive';
    const { ahead } = fit(values, season, method, tried(method)[0]!);
    return { method, ...length, ahead: points(steps, ahead, () => 0), errors: null, tested: [], held: [] };
  }
  const candidates = methodsFor(training, season).map((method) => {
    const parameters = best(training, season, method);
    /** By steps ahead: the errors of the method from each origin. */
    const off: number[][] = Array.from({ length: steps }, () => []);
    const pairs: { actual: number; expected: number }[] = [];
    for (let origin = cut; origin < values.length; origin++) {
      const { ahead } = fit(values.slice(0, origin), season, method, parameters);
      for (let step = 1; step <= steps && origin + step <= values.length; step++) {
        const [actual, expected] = [values[origin + step - 1]!, ahead(step)];
        off[step - 1]!.push(actual - expected);
        if (step === 1) pairs.push({ actual, expected });
      }
    }
    return { method, parameters, off, pairs, errors: errorsOf(pairs, training, season) };
  });
  const ofNaive = candidates[0]!.errors.wape;
  const chosen = candidates
    .toSorted((a, b) => RANK.indexOf(a.method) - RANK.indexOf(b.method))
    .reduce((held, one) => (one.errors.wape < held.errors.wape - BETTER_BY * ofNaive ? one : held));
  const { ahead } = fit(values, season, chosen.method, chosen.parameters);
  const bounds = chosen.off.map((errors) => errorBound(errors, share));
  // Few origins have a value far ahead, so an interval never becomes narrower with time.
  const widest = bounds.map((_, at) => Math.max(...bounds.slice(0, at + 1)));
  return {
    method: chosen.method,
    ...length,
    ahead: points(steps, ahead, (step) => widest[step - 1]!),
    errors: chosen.errors,
    tested: candidates.map(({ method, errors }) => ({ method, wape: errors.wape })),
    held: chosen.pairs,
  };
}

const points = (steps: number, ahead: (step: number) => number, off: (step: number) => number): Forecast['ahead'] =>
  Array.from({ length: steps }, (_, at) => {
    const point = Math.max(0, ahead(at + 1));
    return { point, low: Math.max(0, point - off(at + 1)), high: point + off(at + 1) };
  });
