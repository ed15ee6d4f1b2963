import { formatNumber } from '../../../descriptor/format.ts';
import { shownFigure } from '../../../domain/performance/shown_figure.ts';
import type { ViewNode } from '../../../domain/strategy/impact_view.ts';
import own from './impact.module.css';

/** A value with enough decimals to distinguish it from others. */
export const shown = (value: number | undefined, decimals = 2): string =>
  value === undefined ? '–' : formatNumber(value, Math.abs(value) < 1 ? Math.max(decimals, 4) : decimals);

/** A value of a node in the unit of its KPI. */
export const inUnit = ({ decimals, style }: ViewNode, value: number | undefined): string =>
  value === undefined
    ? '–'
    : shownFigure(value, Math.abs(value) < 1 ? Math.max(decimals, 4) : decimals, style, formatNumber);

/** A change with its sign. */
export const signed = (value: number): string => `${value > 0 ? '+' : ''}${shown(value)}`;

/** The colour of an achievement in percent. */
export const toneOf = (achieved: number | undefined): string | undefined =>
  achieved === undefined ? undefined : achieved >= 100 ? own.good : achieved >= 90 ? own.near : own.off;
