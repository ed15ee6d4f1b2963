import type { Field } from '../descriptor/types.ts';
import type { ReportRow, Tone } from './report.ts';

/** The colour of a column's value in a row: as its list of values has it, or the one that the row brings along. */
export function toneOf({ name, options }: Field, row: ReportRow): Tone | undefined {
  const own = row[`${name}__colour`];
  return typeof own === 'string' && /^#[0-9a-f]{6}$/i.test(own)
    ? (own as Tone)
    : options?.find((option) => option.value === row[name])?.colour;
}
