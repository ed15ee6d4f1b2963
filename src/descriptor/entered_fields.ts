import type { Field, Screen } from './types.ts';

/**
 * Whether people enter a field, so that an approver can be allowed to change it: no transition sets it, nothing
 * computes it.
 */
export const isEntered = ({ workflow }: Pick<Screen, 'workflow'>, field: Field): boolean =>
  field.readOnly !== true &&
  field.formula === undefined &&
  field.rowGroup === undefined &&
  field.part === undefined &&
  !field.secret &&
  field.hidden === undefined &&
  field.name !== workflow?.field;
