import { hoursAhead, relativeDays } from '../domain/relative_days.ts';
import type { RelativeWord } from '../domain/relative_days.ts';
import { dayOfMoment, momentNow, place, today } from './place.ts';
import type { FilterExpression, FilterOperator } from './types.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Whether a filter matches a record as its readers receive it. The server filters in the database; this is for lists
 * without one.
 */
export function filterHolds(filter: FilterExpression, record: Values): boolean {
  const [head, ...rest] = filter as [string, ...unknown[]];
  if ((head === 'and' || head === 'or') && (rest.length === 0 || Array.isArray(rest[0]))) {
    const holds = (inner: unknown) => filterHolds(inner as FilterExpression, record);
    return head === 'and' || rest.length === 0 ? rest.every(holds) : rest.some(holds);
  }
  const [operator, value] = rest as [FilterOperator, unknown];
  const stored = storedIn(record, head);
  const isEmpty = stored === null || stored === '' || (Array.isArray(stored) && stored.length === 0);
  if (operator === 'empty' || operator === 'notempty') return isEmpty === (operator === 'empty');
  if (operator === 'ne') return isEmpty || !isAny(stored, [value]);
  if (isEmpty) return false;
  if (operator === 'eq') return isAny(stored, [value]);
  if (operator === 'in') return isAny(stored, value as unknown[]);
  if (operator === 'contains' || operator === 'starts') {
    const shown = record[`${head}__label`] ?? stored;
    const words = (Array.isArray(shown) ? shown : [shown]).map((one) => String(one).toLowerCase());
    const wanted = String(value).toLowerCase();
    return words.some((one) => (operator === 'starts' ? one.startsWith(wanted) : one.includes(wanted)));
  }
  const hours = operator === 'within' ? hoursAhead(String(value)) : null;
  if (hours !== null) {
    const left = Date.parse(String(stored)) - momentNow();
    return left >= 0 && left < hours * 3_600_000;
  }
  if (operator === 'between' || operator === 'within') {
    const [from, to] = (
      operator === 'within' ? relativeDays(value as RelativeWord, today(), place().fyStartMonth) : value
    ) as [unknown, unknown];
    return (from === null || order(stored, from) >= 0) && (to === null || order(stored, to) <= 0);
  }
  const found = order(stored, value);
  if (operator === 'gt' || operator === 'after') return found > 0;
  if (operator === 'lt' || operator === 'before') return found < 0;
  return operator === 'gte' ? found >= 0 : found <= 0;
}

/** The value of a name; for "rows_field.column" those of all rows. */
function storedIn(record: Values, name: string): unknown {
  const [first = '', column] = name.split('.');
  if (column === undefined) return record[name] ?? null;
  const rows = record[first];
  return Array.isArray(rows) ? (rows as Values[]).flatMap((row) => row[column] ?? []) : null;
}

function isAny(stored: unknown, wanted: readonly unknown[]): boolean {
  const all = Array.isArray(stored) ? (stored as unknown[]) : [stored];
  return all.some((one) => wanted.some((other) => order(one, other) === 0));
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dt.*(z|[+-]\d\d:\d\d)$/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Less than, equal to or more than zero; a date and time is compared with a day by its day where the work is done, decimals as numbers. */
function order(stored: unknown, wanted: unknown): number {
  const [one, other] = [String(stored).toLowerCase(), String(wanted).toLowerCase()];
  if (NUMBER.test(one) && NUMBER.test(other)) return Number(one) - Number(other);
  const compared =
    DAY.test(other) && MOMENT.test(one) ? dayOfMoment(place().timezone, Date.parse(one.toUpperCase())) : one;
  return compared === other ? 0 : compared < other ? -1 : 1;
}
