import type { FilterExpression, FilterOperator } from './types.ts';

type Condition = [string, FilterOperator, unknown];

/** The operators in a key condition: the database can evaluate them from the row alone. */
export const KEY_OPERATORS: FilterOperator[] = ['eq', 'ne', 'in', 'empty', 'notempty'];

const isGroup = (filter: FilterExpression): boolean =>
  (filter[0] === 'and' || filter[0] === 'or') && (filter.length === 1 || Array.isArray(filter[1]));

const inner = (filter: FilterExpression): FilterExpression[] => filter.slice(1) as unknown as FilterExpression[];

/** The conditions of a filter, without the operators that combine them. */
export function keyConditions(filter: FilterExpression): Condition[] {
  return isGroup(filter) ? inner(filter).flatMap(keyConditions) : [filter as unknown as Condition];
}

/** The fields in a key condition. */
export function conditionFields(filter: FilterExpression): string[] {
  return keyConditions(filter).map(([name]) => name);
}

/** Folds a filter from its conditions up: used for SQL and for a record in memory. */
export function foldCondition<T>(
  filter: FilterExpression,
  one: (condition: Condition) => T,
  join: (word: 'and' | 'or', parts: T[]) => T,
): T {
  return isGroup(filter)
    ? join(
        filter[0] as 'and' | 'or',
        inner(filter).map((part) => foldCondition(part, one, join)),
      )
    : one(filter as unknown as Condition);
}

/** Whether a key with this condition applies to a record. */
export function keyHolds(filter: FilterExpression, record: Readonly<Record<string, unknown>>): boolean {
  return foldCondition(
    filter,
    ([name, operator, value]) => {
      const own = record[name] ?? null;
      if (operator === 'empty') return own === null;
      if (operator === 'notempty') return own !== null;
      if (own === null) return operator === 'ne';
      const same = (other: unknown) => String(other) === String(own);
      return operator === 'in' ? (value as unknown[]).some(same) : same(value) === (operator === 'eq');
    },
    (word, parts) => (word === 'and' ? parts.every(Boolean) : parts.some(Boolean)),
  );
}
