import { formatDate, formatFixed, formatNumber } from '../../../descriptor/format.ts';
import type { ScorecardLine } from '../../../domain/performance/scorecard.ts';
import { shownFigure } from '../../../domain/performance/shown_figure.ts';

/** What each colour of an achievement is called. */
export const COLOURS = {
  red: { letter: 'R', title: 'Red', tone: 'danger' },
  amber: { letter: 'A', title: 'Amber', tone: 'warning' },
  green: { letter: 'G', title: 'Green', tone: 'success' },
  blue: { letter: 'B', title: 'Blue', tone: 'brand' },
} as const;

/** A figure of the KPI in its unit. */
export const figureText = ({ decimals, style }: Pick<ScorecardLine, 'decimals' | 'style'>, value: string): string =>
  shownFigure(Number(value), Math.max(decimals, 2), style, formatNumber);
/** A percentage; null = there is none. */
export const percentText = (value: string | null): string => (value === null ? '–' : `${formatFixed(value, 1)} %`);

/** Done or not over several periods: only the average of the achievements says something. */
const isAveraged = ({ method, together }: ScorecardLine): boolean => method === 'binary' && (together?.of ?? 1) > 1;

/** What was reached, as it is written. */
export function actualOf(line: ScorecardLine): string {
  if (line.not_applicable) return 'Not applicable';
  if (isAveraged(line)) return '–';
  if (line.method === 'milestone') return line.done_on ? formatDate(line.done_on) : '–';
  if (line.method === 'binary') return line.done === 'yes' ? 'Done' : line.done === 'no' ? 'Not done' : '–';
  return line.actual === null ? '–' : figureText(line, line.actual);
}

/** What is to be reached, as it is written. */
export function targetOf(line: ScorecardLine): string {
  if (line.target_day !== null) return formatDate(line.target_day);
  if (line.range !== null) return `${figureText(line, line.range[0])} to ${figureText(line, line.range[1])}`;
  if (line.method === 'binary') return 'Done';
  return line.target === null ? '–' : figureText(line, line.target);
}
