/** Counts of two questions against each other; null: too few to show. */
export interface CrossTab {
  columns: string[];
  rows: { label: string; counts: number[] | null; percents: (string | null)[] | null; n: number | null }[];
  totals: number[];
  n: number;
  /** Null if there is nothing to compare, or a part is suppressed. */
  test: { chi2: string; df: number; p: string; isReliable: boolean } | null;
}

/** Γ(x), its logarithm (Lanczos). */
function logGamma(x: number): number {
  const parts = [676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905];
  const more = [-0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7];
  let sum = 0.9999999999998099;
  [...parts, ...more].forEach((part, at) => (sum += part / (x + at)));
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The p-value of a χ² of at least this: the regularised upper incomplete gamma function Q(df/2, χ²/2). */
function chanceOf(chi2: number, df: number): number {
  const [a, x] = [df / 2, chi2 / 2];
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 1000 && term > sum * 1e-15; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  // Continued fraction (Lentz).
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 1000; n++) {
    const step = -n * (n - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * h;
}

/**
 * The suppressed groups: those with fewer than `least`, and the next smallest as long as they are a single group or
 * fewer than `least` together, so that they cannot be derived by subtraction.
 */
export function hiddenGroups(sizes: readonly number[], least: number): Set<number> {
  const order = sizes
    .map((n, at) => ({ n, at }))
    .filter(({ n }) => n > 0)
    .sort((one, other) => one.n - other.n);
  let count = order.filter(({ n }) => n < least).length;
  const together = () => order.slice(0, count).reduce((all, { n }) => all + n, 0);
  while (count > 0 && count < order.length && (count === 1 || together() < least)) count++;
  return new Set(order.slice(0, count).map(({ at }) => at));
}

const percent = (part: number, of: number): string | null => (of === 0 ? null : ((100 * part) / of).toFixed(1));

/**
 * Cross tabulation of two questions. `pairs`: the row and column of each respondent who answered both. `least`: minimum
 * size of a group shown.
 */
export function crossTab(
  rows: readonly string[],
  columns: readonly string[],
  pairs: readonly (readonly [number, number])[],
  least = 0,
): CrossTab {
  const counts = rows.map(() => columns.map(() => 0));
  for (const [row, column] of pairs) counts[row]![column]!++;
  const sum = (list: readonly number[]) => list.reduce((one, other) => one + other, 0);
  const sizes = counts.map(sum);
  const totals = columns.map((_, at) => sum(counts.map((line) => line[at]!)));
  const n = sum(sizes);
  const hidden = least > 0 ? hiddenGroups(sizes, least) : new Set<number>();
  return {
    columns: [...columns],
    rows: rows.map((label, at) =>
      hidden.has(at)
        ? { label, counts: null, percents: null, n: null }
        : { label, counts: counts[at]!, percents: counts[at]!.map((one) => percent(one, sizes[at]!)), n: sizes[at]! },
    ),
    totals,
    n,
    test: hidden.size > 0 ? null : testOf(counts, sizes, totals, n),
  };
}

function testOf(counts: number[][], sizes: number[], totals: number[], n: number): CrossTab['test'] {
  const df = (sizes.filter((one) => one > 0).length - 1) * (totals.filter((one) => one > 0).length - 1);
  if (df < 1) return null;
  let chi2 = 0;
  let isReliable = true;
  counts.forEach((line, row) =>
    line.forEach((count, column) => {
      const expected = (sizes[row]! * totals[column]!) / n;
      if (expected === 0) return;
      if (expected < 5) isReliable = false;
      chi2 += (count - expected) ** 2 / expected;
    }),
  );
  return { chi2: chi2.toFixed(3), df, p: chanceOf(chi2, df).toFixed(4), isReliable };
}
