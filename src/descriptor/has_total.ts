import { fieldType } from './fieldtypes/registry.ts';
import type { Field } from './types.ts';

/** Whether sheets and lists show totals of a field by default. */
export const hasTotal = ({ type, secret, noTotal }: Field): boolean =>
  fieldType(type).can.sum === 'total' && !secret && !noTotal;
