/** Rules by which a bot checks the figures of a KPI, latest figure last (performance.md §5.17). */
export type BotRule = 'threshold' | 'streak' | 'anomaly' | 'trend';

export interface BotSettings {
  rule: BotRule;
  /** Less is better. */
  isLower: boolean;
  /** For a threshold: the bot reports when the figure is worse than this. */
  limit?: number | null;
  /** For a streak: the number of worse figures in a row. */
  length?: number | null;
  /** The minimum relevant difference: for an anomaly from the median, for a trend per period. */
  least?: number | null;
}

export interface BotFinding {
  isAlarm: boolean;
  /** The value that the rule computed; null = not enough figures. */
  value: number | null;
}

const STREAK = 3;
/** Minimum number of earlier figures that define the usual range. */
const LIKE_PERIODS = 12;
const UNUSUAL = 3.5;
/** Makes the median absolute deviation comparable with a standard deviation. */
const TO_SD = 0.6745;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * How unusual a value is among others of its kind; if these have no spread, by their mean deviation. Null = they are
 * all equal.
 */
export function unusualness(value: number, others: readonly number[]): number | null {
  const middle = median(others);
  const distances = others.map((one) => Math.abs(one - middle));
  const spread = median(distances) || distances.reduce((sum, one) => sum + one, 0) / distances.length;
  return spread === 0 ? null : (TO_SD * Math.abs(value - middle)) / spread;
}

/** The change per period: the median of the slopes between all pairs of figures. Null = fewer than two figures. */
export function trend(values: readonly number[]): number | null {
  const slopes = values.flatMap((value, at) => values.slice(at + 1).map((other, gap) => (other - value) / (gap + 1)));
  return slopes.length === 0 ? null : median(slopes);
}

/** The projected year-end value: the actuals so far, plus the remaining targets at the achieved share. */
export function yearEnd(
  reached: number,
  targetSoFar: number,
  targetOfYear: number,
): { ratio: number; end: number } | null {
  if (targetSoFar === 0) return null;
  const ratio = reached / targetSoFar;
  return { ratio, end: reached + (targetOfYear - targetSoFar) * ratio };
}

/** A move to another band, by the bands of the last two figures; null = a figure below all bands. */
export interface BandChange {
  isWorse: boolean;
  before: string | null;
  now: string | null;
}

/** How the band of the last figure differs from the one before; null = there are not two figures. `order`: worst first. */
export function bandChange(bands: readonly (string | null)[], order: readonly string[]): BandChange | null {
  if (bands.length < 2) return null;
  const [before, now] = bands.slice(-2) as [string | null, string | null];
  const place = (band: string | null) => (band === null ? -1 : order.indexOf(band));
  return { isWorse: place(now) < place(before), before, now };
}

/** Applies a rule to the figures of a KPI, in order. */
export function look(values: readonly number[], settings: BotSettings): BotFinding {
  const last = values.at(-1);
  const none = { isAlarm: false, value: null };
  if (last === undefined) return none;
  const isWorse = (value: number, than: number) => (settings.isLower ? value > than : value < than);
  if (settings.rule === 'threshold')
    return {
      value: last,
      isAlarm: settings.limit !== null && settings.limit !== undefined && isWorse(last, settings.limit),
    };
  if (settings.rule === 'streak') {
    let worse = 0;
    for (let at = values.length - 1; at > 0 && isWorse(values[at]!, values[at - 1]!); at--) worse++;
    return { value: worse, isAlarm: worse >= (settings.length ?? STREAK) };
  }
  if (settings.rule === 'trend') {
    const slope = trend(values);
    if (slope === null) return none;
    const worse = settings.isLower ? slope : -slope;
    return { value: slope, isAlarm: worse > 0 && worse >= (settings.least ?? 0) };
  }
  const others = values.slice(0, -1);
  if (others.length < LIKE_PERIODS) return none;
  const score = unusualness(last, others);
  const isFar = Math.abs(last - median(others)) >= (settings.least ?? 0);
  return { value: score, isAlarm: score !== null && score > UNUSUAL && isFar };
}
