import { fieldType } from './fieldtypes/registry.ts';
import type { Field, FilterExpression } from './types.ts';

/** Rows of a list that have a value in common. */
export interface ListGroup {
  /** Null = the rows where it is empty; of dates the first day of the month. */
  value: string | number | boolean | null;
  /** As people read it; '' where nothing names the value. */
  label: string;
  count: number;
  /** Exact, by field. */
  sums: Record<string, string>;
  /** The condition of the list for these rows. */
  filter: FilterExpression;
}

export interface ListGroups {
  groups: ListGroup[];
  /** There are more groups than these, which are the largest. */
  more: boolean;
}

/** Groups that one answer has at most. */
export const MAX_GROUPS = 500;

/** Whether a list can be grouped by a field: dates and moments by month. */
export function canGroup(field: Field): boolean {
  return fieldType(field.type).can.group && !field.secret && !field.masked && !field.hidden;
}

/** Whether a list adds a field up: an amount in one currency, or a number. */
export function canSum(field: Field): boolean {
  return (
    fieldType(field.type).can.sum === 'total' && !field.secret && !field.hidden && field.currencyFrom === undefined
  );
}
