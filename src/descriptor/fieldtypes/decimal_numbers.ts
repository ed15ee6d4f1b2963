import { Decimal } from 'decimal.js';
import type { Field } from '../types.ts';
import type { FieldType, Parsed } from './field_type.ts';

/** Groups a plain decimal text the Indian way: 1234567.5 → 12,34,567.5. */
export function indianGrouping(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\..*)?$/.exec(text) ?? [];
  if (whole.length <= 3) return sign + whole + fraction;
  const head = whole.slice(0, -3).replace(/\B(?=(\d{2})+(?!\d))/g, ',');
  return `${sign}${head},${whole.slice(-3)}${fraction}`;
}

/** What people write for a number: ₹, Rs., commas, spaces, a percent sign, parentheses for negative. */
export function decimalOf(input: unknown): Decimal | null {
  if (typeof input === 'number') return Number.isFinite(input) ? new Decimal(input) : null;
  const text = String(input)
    .replace(/^\s*(₹|rs\.?|inr)\s*/i, '')
    .replace(/[,\s\u00a0%]/g, '')
    .replace(/^\((.*)\)$/, '-$1');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? new Decimal(text) : null;
}

/** Exact decimals: strings on the wire, `numeric` in the database, never a float. */
export function decimalType(name: string, places: number | null, sql: string, more: Partial<FieldType> = {}): FieldType {
  const placesOf = (field: Field) => field.precision ?? places;
  return {
    name,
    sql: () => sql,
    filter: 'number',
    widget: name,
    align: 'right',
    parse: (text, field): Parsed => {
      if (text === null || text === undefined || String(text).trim() === '') return { value: null };
      const number = decimalOf(text);
      if (number === null) return { error: `"${String(text)}" is not a number.` };
      const limit = placesOf(field);
      // A number from a spreadsheet carries the noise of its float; a person's text does not.
      const exact = typeof text === 'number' ? number.toDecimalPlaces(limit ?? 10) : number;
      if (limit !== null && exact.decimalPlaces() > limit) return { error: `At most ${limit} decimals.` };
      return { value: limit === null ? exact.toFixed() : exact.toFixed(limit) };
    },
    format: (value, field) => {
      if (value === null || value === undefined || value === '') return '';
      const number = decimalOf(value);
      if (number === null) return String(value);
      const limit = placesOf(field);
      return indianGrouping(limit === null ? number.toFixed() : number.toFixed(limit));
    },
    excel: { format: excelFormat(places), write: (value) => (value === null || value === undefined ? null : Number(value)) },
    // A client may send a JSON number; what is stored and compared is always the text.
    clean: (value, field) => {
      if (typeof value !== 'number' && typeof value !== 'string') return value;
      const number = value === '' ? null : decimalOf(value);
      if (number === null) return value === '' ? null : value;
      const limit = placesOf(field);
      return limit !== null && number.decimalPlaces() <= limit ? number.toFixed(limit) : number.toFixed();
    },
    ...more,
  };
}

function excelFormat(places: number | null): string {
  const fraction = places === null ? '.##########' : places === 0 ? '' : `.${'0'.repeat(places)}`;
  return `[>=10000000]##\\,##\\,##\\,##0${fraction};[>=100000]##\\,##\\,##0${fraction};##,##0${fraction}`;
}
