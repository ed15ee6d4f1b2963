import { fieldType } from './fieldtypes/registry.ts';
import type { Field } from './types.ts';

/** Whether sheets and lists add up the values of a field without being told to. */
export const hasTotal = ({ type, secret, noTotal }: Field): boolean =>
  fieldType(type).can.sum === 'total' && !secret && !noTotal;
