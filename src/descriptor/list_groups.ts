import { fieldType } from './fieldtypes/registry.ts';
import { hasTotal } from './has_total.ts';
import type { Field, FilterExpression } from './types.ts';

/** A group of rows in a list that share a value. */
export interface ListGroup {
  /** Null = the rows in which it is empty; for dates the first day of the month. */
  value: string | number | boolean | null;
  /** Its displayed text; '' if nothing names the value. */
  label: string;
  count: number;
  /** Exact, by field; absent where the values are in several units. */
  sums: Record<string, string>;
  /** The condition of the list for these rows. */
  filter: FilterExpression;
}

export interface ListGroups {
  groups: ListGroup[];
  /** There are more groups; these are the largest. */
  more: boolean;
}

/** The maximum number of groups in one answer. */
export const MAX_GROUPS = 500;

/** Whether a list can be grouped by a field: dates and times by month. */
export function canGroup(field: Field): boolean {
  return fieldType(field.type).can.group && !field.secret && !field.masked && !field.hidden;
}

/** Whether a list adds up a field: an amount in one currency, or a number. */
export function canSum(field: Field): boolean {
  return hasTotal(field) && !field.hidden && field.currencyFrom === undefined;
}
