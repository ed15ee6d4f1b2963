/** Days on which people buy more than usual, and months that are not over (performance.md §5.19). */

/** How many times a usual day is sold on a day of an event. @param aDay what is sold on other days */
export const eventFactor = (sold: readonly number[], aDay: number): number | null =>
  sold.length === 0 || aDay <= 0 ? null : sold.reduce((sum, one) => sum + one, 0) / (sold.length * aDay);

/** What a month comes to, of which a usual one would have reached so much by now; null = it has hardly begun. */
export const paceToEnd = (reached: number, usualShare: number): number | null =>
  usualShare <= 0 ? null : reached / usualShare;
