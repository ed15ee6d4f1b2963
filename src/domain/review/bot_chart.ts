import { DateTime } from 'luxon';
import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';
import type { BotPeriod } from './closed_periods.ts';

export const BOT_CHARTS = ['figure', 'line', 'bar', 'stack', 'pie', 'heat', 'table', 'funnel'] as const;
/** How the history of a bot is drawn. */
export type BotChart = (typeof BOT_CHARTS)[number];

export const BOT_COMPARISONS = ['none', 'previous', 'last_year', 'target'] as const;
/** What the figure of a period is compared with. */
export type BotComparison = (typeof BOT_COMPARISONS)[number];

/** A figure of a period. */
export interface BotFigure {
  /** The first day of the period; null = it is as it is now. */
  first: string | null;
  value: string;
  target?: string | null;
}

/** Charts of the parts of a figure. */
const OF_PARTS: ReadonlySet<BotChart> = new Set<BotChart>(['stack', 'pie', 'funnel']);
/** Charts that need a time; a line of a single figure is that figure. */
const OVER_TIME: ReadonlySet<BotChart> = new Set<BotChart>(['stack', 'heat']);

/** The maximum number of parts in a chart; smaller ones could not be distinguished. */
const MAX_PARTS = 8;

/** Why a chart cannot draw what a bot follows; null = it can. */
export function chartProblem(
  chart: BotChart,
  { isDated, hasParts, isMonthly }: { isDated: boolean; hasParts: boolean; isMonthly: boolean },
): string | null {
  if (OVER_TIME.has(chart) && !isDated)
    return 'Without a date there is no history to draw. Choose by which column the rows are dated, or another chart.';
  if (OF_PARTS.has(chart) && !hasParts)
    return 'This chart draws parts. Choose the column that divides the figure of a collection, or another chart.';
  if (chart === 'heat' && !hasParts && !isMonthly)
    return 'A heat map needs months, or a column that divides the figure. Choose another chart.';
  return null;
}

/** The first day of the period that one is compared with. */
function comparedDay(first: string, comparison: BotComparison, period: BotPeriod): string {
  const day = DateTime.fromISO(first, { zone: 'utc' });
  if (comparison === 'previous') return day.minus({ [period]: 1 }).toISODate()!;
  // A week is compared with the one that began 52 weeks before: both have the same days.
  return (period === 'week' ? day.minus({ weeks: 52 }) : day.minus({ years: 1 })).toISODate()!;
}

/** The value that each figure is compared with; null = there is none. */
export function comparedWith(
  figures: readonly BotFigure[],
  comparison: BotComparison,
  period: BotPeriod,
): (string | null)[] {
  if (comparison === 'none') return figures.map(() => null);
  if (comparison === 'target') return figures.map(({ target }) => target ?? null);
  const byDay = new Map(figures.map(({ first, value }) => [first, value]));
  return figures.map(({ first }) =>
    first === null ? null : (byDay.get(comparedDay(first, comparison, period)) ?? null),
  );
}

/** How many periods before the shown ones a comparison reads. */
export function periodsBefore(comparison: BotComparison, period: BotPeriod): number {
  if (comparison !== 'last_year') return 0;
  return { day: 366, week: 52, month: 12 }[period];
}

/** What a figure is compared with, in words. */
export function comparisonName(comparison: BotComparison, period: BotPeriod): string {
  if (comparison === 'target') return 'Target';
  return comparison === 'previous' ? `The ${period} before` : `The ${period} a year before`;
}

const short = (value: Decimal | string) => new Exact(value).toDecimalPlaces(2).toString();

/** How a figure compares, as a sentence; empty where nothing is compared. */
export function comparisonText(
  value: string,
  other: string | null,
  comparison: BotComparison,
  period: BotPeriod,
): string {
  if (comparison === 'none') return '';
  const name = `${comparisonName(comparison, period).replace(/^T/, 't')}`;
  const against = comparison === 'target' ? 'the target' : name;
  if (other === null) return `There is no figure of ${against} to compare with.`;
  const difference = new Exact(value).minus(other);
  if (difference.isZero()) return `That is the same as ${against}.`;
  const way = difference.isPositive() ? 'above' : 'below';
  const size = new Exact(other).isZero()
    ? short(difference.abs())
    : `${difference.abs().times(100).dividedBy(new Exact(other).abs()).toDecimalPlaces(1).toString()} %`;
  return `That is ${size} ${way} ${against} (${short(other)}).`;
}

/** A figure of one part of a whole. */
export interface PartFigure extends BotFigure {
  part: string | null;
}

/** The largest parts of the figures, largest first, and how many there are. */
export function largestParts(figures: readonly PartFigure[]): { parts: (string | null)[]; count: number } {
  const sums = new Map<string | null, Decimal>();
  for (const { part, value } of figures) sums.set(part, (sums.get(part) ?? new Exact(0)).plus(new Exact(value).abs()));
  const sorted = [...sums].toSorted(([, a], [, b]) => b.comparedTo(a)).map(([part]) => part);
  return { parts: sorted.slice(0, MAX_PARTS), count: sorted.length };
}

/** What one bot shows. */
export interface BotView {
  id: number;
  version: number;
  name: string;
  /** The KPI and its member, or the collection and its figure. */
  of: string;
  owner: string | null;
  state: 'waiting' | 'quiet' | 'alarm';
  /** Only its owner reads what it found. */
  finding: string | null;
  muted_until: string | null;
  isOwn: boolean;
  isSubscribed: boolean;
  chart: BotChart;
  period: BotPeriod;
  /** Decimals and unit of its figures. */
  decimals: number;
  unit: string | null;
  /** What the figures are compared with; null = nothing. */
  comparison: string | null;
  /** How the last figure compares. */
  compared: string;
  /** With parts, one row a period and part; the last period alone where the chart has no time. */
  rows: { first: string | null; part?: string | null; value: string; other?: string | null }[];
  /** Why there is no chart, or what is left out of it. */
  note: string | null;
}
