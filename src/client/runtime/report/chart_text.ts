import { duration } from '../../../descriptor/fieldtypes/duration.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import type { ReportAnswer } from '../../../domain/report.ts';
import type { Field } from '../../../descriptor/types.ts';

/** A figure of a chart as text: a number, or hours and minutes. */
export const chartText = ({ minutes }: NonNullable<ReportAnswer['chart']>, value: number): string =>
  minutes ? duration.format(Math.round(value), {} as Field) : formatNumber(value);
