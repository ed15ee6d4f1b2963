import { foldCondition } from '../../descriptor/key_condition.ts';
import type { FilterExpression } from '../../descriptor/types.ts';
import { literal, quoted } from './names.ts';

/** The substitute for an empty value where empty values are equal: no stored value of the type equals it. */
const EMPTY: [RegExp, (column: string) => string][] = [
  [/^(text|varchar)/, (column) => `coalesce(lower(${column}), '')`],
  [/^boolean/, (column) => `coalesce(${column}::integer, 2)`],
  [/^(integer|smallint)/, (column) => `coalesce(${column}, '-2147483648'::integer)`],
  [/^bigint/, (column) => `coalesce(${column}, 0)`],
  [/^numeric/, (column) => `coalesce(${column}, 'NaN'::numeric)`],
  [/^date/, (column) => `coalesce(${column}, '-infinity'::date)`],
  [/^timestamptz/, (column) => `coalesce(${column}, '-infinity'::timestamp with time zone)`],
];

/** A column of an exclusion key: text ignoring case, and an empty value as a separate value. */
export function comparable(column: string, type: string, notNull: boolean): string {
  if (notNull) return /^(text|varchar)/.test(type) ? `lower(${column})` : column;
  return EMPTY.find(([pattern]) => pattern.test(type))?.[1](column) ?? column;
}

/** A condition of a key as a predicate without parameters, for an index or constraint. */
export function conditionSql(
  filter: FilterExpression,
  typeOf: (column: string) => string | undefined,
  alias = '',
): string {
  return foldCondition(
    filter,
    ([name, operator, value]) => {
      const column = `${alias}${quoted(name)}`;
      const text = /^(text|varchar)/.test(typeOf(name) ?? '');
      const constant = (one: unknown) => (text || typeof one === 'string' ? literal(String(one)) : String(one));
      switch (operator) {
        case 'empty':
          return `${column} is null`;
        case 'notempty':
          return `${column} is not null`;
        case 'in':
          return `${column} = any (array[${(value as unknown[]).map(constant).join(', ')}])`;
        case 'ne':
          return `${column} is distinct from ${constant(value)}`;
        default:
          return `${column} = ${constant(value)}`;
      }
    },
    (word, parts) => `(${parts.join(` ${word} `)})`,
  );
}
