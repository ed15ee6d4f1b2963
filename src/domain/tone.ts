import type { Field } from '../descriptor/types.ts';
import type { Tone } from './report.ts';

/** The colour of a value, if it is one of a list whose values have colours. */
export const toneOf = ({ options }: Field, value: unknown): Tone | undefined =>
  options?.find((option) => option.value === value)?.colour;
