/** Classes and figures of stock (performance.md §5.18). */

export type ValueClass = 'A' | 'B' | 'C' | 'N';
export type DemandClass = 'X' | 'Y' | 'Z' | 'new';

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** Standard deviation of a population, not of a sample. */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((one) => (one - middle) ** 2)));
}

/** Classes by sales value: A up to `a` percent of all sales, B up to `b`, then C; N = no sales. */
export function valueClasses(values: readonly number[], a = 80, b = 95): ValueClass[] {
  const all = sum(values.filter((one) => one > 0));
  const classes: ValueClass[] = values.map(() => 'N');
  let before = 0;
  for (const { value, at } of values
    .map((value, at) => ({ value, at }))
    .filter(({ value }) => value > 0)
    .toSorted((left, right) => right.value - left.value)) {
    const share = (100 * before) / all;
    classes[at] = share < a ? 'A' : share < b ? 'B' : 'C';
    before += value;
  }
  return classes;
}

/** Minimum number of months to judge the variability of demand. */
const LEAST_MONTHS = 6;

/** The variation of the months relative to their mean; null = no sales. */
export function variation(months: readonly number[]): number | null {
  const middle = mean(months);
  return middle <= 0 ? null : deviation(months) / middle;
}

/** The class of demand variability, from monthly sales. */
export function demandClass(months: readonly number[], x = 0.5, y = 1): DemandClass {
  if (months.length < LEAST_MONTHS) return 'new';
  const varies = variation(months);
  return varies === null || varies > y ? 'Z' : varies > x ? 'Y' : 'X';
}

/** Days until the stock is sold at the recent pace; null = no sales. */
export const cover = (stock: number, sold: number, days: number): number | null =>
  sold <= 0 ? null : (stock * days) / sold;

/** How often a year's cost of sales, or its margin, is worth the stock; null = there is no stock. */
export const perStock = (amount: number, stock: number): number | null => (stock <= 0 ? null : amount / stock);

/** What it costs to carry a value for some days, at a percentage a year. */
export const carryingCost = (value: number, percent: number, days: number): number =>
  (value * (percent / 100) * days) / 365;

/** Days after which melting a piece is cheaper than keeping it; null = keeping costs nothing. */
export function meltDays(piece: {
  metalValue: number;
  making: number;
  carryingPercent: number;
  lossPercent: number;
}): number | null {
  const holdADay = carryingCost(piece.metalValue, piece.carryingPercent, 1);
  return holdADay <= 0 ? null : (piece.making + (piece.metalValue * piece.lossPercent) / 100) / holdADay;
}

/** Whether a line lasts longer than some days; without sales it has no cover and would stay for ever. */
export const outlasts = (coverDays: number | null, days: number): boolean => coverDays === null || coverDays > days;

/** Ages of stock, in days. */
export const AGES = ['0–90', '91–180', '181–365', '> 365'] as const;
export const ageOf = (days: number): (typeof AGES)[number] =>
  days <= 90 ? AGES[0] : days <= 180 ? AGES[1] : days <= 365 ? AGES[2] : AGES[3];

/** What each kind should have of the stock if it had its share of the sales, less what it has. */
export function mixGaps(sales: readonly number[], stocks: readonly number[]): number[] {
  const [sold, stock] = [sum(sales), sum(stocks)];
  return stocks.map((own, at) => (sold <= 0 ? 0 : (stock * sales[at]!) / sold) - own);
}

/** A store's pieces of a line, and what it sells a day. */
export interface StoreStock {
  stock: number;
  aDay: number;
  targetDays: number;
  maxDays: number;
  /** Which other stores are nearest, the nearest first; without it, they come in their order. */
  nearest?: readonly number[];
}

export interface Transfers {
  moves: { from: number; to: number; pieces: number }[];
  /** What is left to buy, by store. */
  buy: number[];
}

/** Moves what some stores have to spare to those that lack it, the one that is sold out first before the others. */
export function transfers(stores: readonly StoreStock[]): Transfers {
  const spare = stores.map(({ stock, aDay, maxDays }) => Math.max(0, stock - Math.ceil(aDay * maxDays)));
  const buy = stores.map(({ stock, aDay, targetDays }) => Math.max(0, Math.ceil(aDay * targetDays) - stock));
  const daysLeft = (at: number) => stores[at]!.stock / stores[at]!.aDay;
  const short = buy.flatMap((need, at) => (need > 0 ? [at] : [])).toSorted((a, b) => daysLeft(a) - daysLeft(b));
  const moves: Transfers['moves'] = [];
  for (const to of short)
    for (const from of stores[to]!.nearest ?? stores.keys()) {
      const pieces = Math.min(spare[from]!, buy[to]!);
      if (pieces <= 0) continue;
      moves.push({ from, to, pieces });
      spare[from]! -= pieces;
      buy[to]! -= pieces;
    }
  return { moves, buy };
}

/** The share of what was there that was sold, in percent: opening and received pieces are those sold and those left. */
export const sellThrough = (sold: number, left: number): number | null =>
  sold + left <= 0 ? null : (100 * sold) / (sold + left);
