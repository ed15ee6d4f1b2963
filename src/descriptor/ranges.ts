import type { Decimal } from 'decimal.js';
import { Exact } from './exact.ts';
import { decimalOf } from './fieldtypes/decimal_numbers.ts';
import { formatValue } from './format.ts';
import type { Field, FieldError, RangeKey, RangeWord, Screen } from './types.ts';

type Row = Record<string, unknown>;

/** The position of a range: from `begin` up to, not including, `end`. Null = unlimited on that side. */
export interface Span {
  begin: Decimal | null;
  end: Decimal | null;
}

const DAY_MS = 86_400_000;

/** The ranges defined by "valid" and "bands" of a record type, or of rows. */
export function rangeKey(word: RangeWord, written: Omit<RangeKey, 'word' | 'step' | 'key'>, fields: Field[]): RangeKey {
  const { key, step, ...more } = written as typeof written & { key?: string[]; step?: number };
  const whole = fields.find(({ name }) => name === more.to)?.type === 'integer';
  return { word, ...more, key: key ?? [], step: String(word === 'valid' ? 1 : (step ?? (whole ? 1 : 0))) };
}

/** The fields of a range key: of the record, or of its rows. */
export function rangeFields(screen: Screen, { rows }: RangeKey): Field[] {
  return rows === undefined ? screen.fields : (screen.fields.find(({ name }) => name === rows)?.rows ?? []);
}

/** The range of a record or row; null if its values are not valid for a range. */
export function spanOf(range: RangeKey, row: Row): Span | null {
  const [begin, last] = [place(row[range.from]), place(row[range.to])];
  if (begin === undefined || last === undefined) return null;
  const end = last === null ? null : last.plus(range.step);
  return begin !== null && end !== null && end.lessThanOrEqualTo(begin) ? null : { begin, end };
}

/** Days are numbered from 1970, so that consecutive days differ by one. Undefined = no valid value. */
function place(value: unknown): Decimal | null | undefined {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    const day = Date.parse(`${value}T00:00:00Z`);
    return Number.isNaN(day) ? undefined : new Exact(day / DAY_MS);
  }
  return decimalOf(value) ?? undefined;
}

/** Whether two ranges have a value in common. */
export function overlap(one: Span, other: Span): boolean {
  const starts = (a: Span, b: Span) => a.begin === null || b.end === null || a.begin.lessThan(b.end);
  return starts(one, other) && starts(other, one);
}

/** A range that ends before it begins; reported at its end field. */
export function reversed(range: RangeKey, fields: Field[], row: Row): FieldError[] {
  const [begin, last] = [place(row[range.from]), place(row[range.to])];
  if (!begin || !last || last.plus(range.step).greaterThan(begin)) return [];
  const title = (name: string) => fields.find((field) => field.name === name)?.title ?? name;
  return [{ field: range.to, message: `${title(range.to)} must lie above ${title(range.from)}.` }];
}

/** A range as text: "10 to 24.99", "from 65", "until 31-03-2026". */
export function rangeText({ from, to }: Pick<RangeKey, 'from' | 'to'>, fields: Field[], row: Row): string {
  const text = (name: string) => {
    const field = fields.find((one) => one.name === name);
    return field && row[name] !== null && row[name] !== undefined ? formatValue(field, row[name]) : '';
  };
  const [begin, end] = [text(from), text(to)];
  if (begin === '') return end === '' ? 'all' : `until ${end}`;
  return end === '' ? `from ${begin}` : `${begin} to ${end}`;
}

const keyText = (range: RangeKey, row: Row) =>
  JSON.stringify(
    range.key.map((name) => {
      const value = row[name] ?? null;
      return typeof value === 'string' ? value.trim().toLowerCase() : value;
    }),
  );

interface Placed {
  index: number;
  row: Row;
  span: Span;
}

/** Rows by key, each sorted by start. */
function sorted(range: RangeKey, rows: readonly unknown[]): Placed[][] {
  const placed = rows.flatMap((row, index): Placed[] => {
    const span = row !== null && typeof row === 'object' ? spanOf(range, row as Row) : null;
    return span ? [{ index, row: row as Row, span }] : [];
  });
  const before = (a: Placed, b: Placed) =>
    a.span.begin === null ? -1 : b.span.begin === null ? 1 : a.span.begin.comparedTo(b.span.begin);
  return [...Map.groupBy(placed, ({ row }) => keyText(range, row)).values()].map((group) => group.sort(before));
}

/** The errors in the rows of one record: they overlap, end before they begin, or, if `gapless`, leave a gap. */
export function rowRangeErrors(field: Field, range: RangeKey, rows: readonly unknown[]): FieldError[] {
  const errors = rows.flatMap((row, index) =>
    row !== null && typeof row === 'object'
      ? reversed(range, field.rows!, row as Row).map((error) => ({
          ...error,
          field: `${field.name}.${index}.${error.field}`,
        }))
      : [],
  );
  if (errors.length > 0) return errors;
  const named = ({ index, row }: Placed) => `row ${index + 1} (${rangeText(range, field.rows!, row)})`;
  for (const group of sorted(range, rows)) {
    let last: Placed | undefined;
    for (const next of group) {
      const at = `${field.name}.${next.index}.${range.from}`;
      if (last && overlap(last.span, next.span))
        errors.push({ field: at, message: `This overlaps with ${named(last)}.` });
      else if (last && range.gapless && !last.span.end!.equals(next.span.begin!))
        errors.push({
          field: at,
          message: `This leaves ${uncovered(range, field.rows!, last.span.end!, next.span.begin!)} uncovered, behind ${named(last)}. Begin at ${placeText(range, field.rows!, last.span.end!)}.`,
        });
      if (!last || next.span.end === null || last.span.end?.lessThan(next.span.end)) last = next;
    }
  }
  return errors;
}

/** The values between two ranges, as text: "50.00 to 79.99", or the only one. */
function uncovered(range: RangeKey, fields: Field[], from: Decimal, to: Decimal): string {
  const [first, last] = [from, to.minus(range.step)].map((at) => placeText(range, fields, at));
  return first === last ? first! : `${first} to ${last}`;
}

function placeText(range: RangeKey, fields: Field[], at: Decimal): string {
  const field = fields.find(({ name }) => name === range.from)!;
  const value = field.type === 'date' ? new Date(at.toNumber() * DAY_MS).toISOString().slice(0, 10) : at.toFixed();
  return formatValue(field, field.type === 'integer' ? Number(value) : value);
}

/** The gaps between records of one key, as text, each between two neighbours. */
export function gapsOf(
  range: RangeKey,
  fields: Field[],
  records: readonly Row[],
  name: (row: Row) => string,
): string[] {
  return sorted(range, records).flatMap((group) => {
    const gaps: string[] = [];
    group.forEach((next, at) => {
      const last = group[at - 1];
      if (last?.span.end && next.span.begin && last.span.end.lessThan(next.span.begin))
        gaps.push(
          `Between ${name(last.row)} and ${name(next.row)} there is a gap: nothing applies from ${placeText(range, fields, last.span.end)} until ${name(next.row)} begins.`,
        );
    });
    return gaps;
  });
}
