/** Event days with higher sales, and months in progress (performance.md §5.19). */

/** The ratio of an event day’s sales to a normal day’s. @param aDay sales of a normal day */
export const eventFactor = (sold: readonly number[], aDay: number): number | null =>
  sold.length === 0 || aDay <= 0 ? null : sold.reduce((sum, one) => sum + one, 0) / (sold.length * aDay);

/**
 * The projected total of a month in progress, from the share that a normal month has reached by now; null = too early.
 */
export const paceToEnd = (reached: number, usualShare: number): number | null =>
  usualShare <= 0 ? null : reached / usualShare;
