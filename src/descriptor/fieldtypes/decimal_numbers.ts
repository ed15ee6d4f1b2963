import { EXACT_NUMBER } from './can.ts';
import type { Decimal } from 'decimal.js';
import { Exact } from '../exact.ts';
import { currencyOf, currencySymbol, decimalsOf, grouped, inLakhs } from '../money.ts';
import type { Field } from '../types.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

/** A decimal as it comes over the wire. */
export function isPlainDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/**
 * A JSON number so large that digits may have been lost in parsing: the stored value would differ from the sent one.
 */
export function hasLostDigits(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/**
 * A non-negative amount whose text has at most these decimals: padded to the stored form. Null = it needs arithmetic.
 */
function withPlaces(text: string, places: number | null): string | null {
  const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || places === null || fraction.length > places) return null;
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
}

/**
 * Accepted around a number: a currency symbol or code, Rs., "/-", group separators, spaces, a percent sign, brackets or
 * a minus for negative. A comma elsewhere ("12,5") is refused: it would be read ten times too large.
 */
export function decimalOf(input: unknown): Decimal | null {
  if (typeof input === 'number') return Number.isFinite(input) ? new Exact(input) : null;
  const written = String(input);
  // Values on the wire are plain; they need no second check.
  if (isPlainDecimal(written)) return new Exact(written);
  let text = written
    .replace(/[\s\u00a0\u202f%]/g, '')
    .replace(/\/-$/, '')
    .replaceAll('\u2212', '-');
  let negative = false;
  const bracketed = /^\((.*)\)$/.exec(text);
  if (bracketed) [text, negative] = [bracketed[1]!, true];
  const signed = /^([+-]?)(?:\p{Sc}|rs\.?|[a-z]{3})?([+-]?)(.*)$/iu.exec(text)!;
  if (signed[1] !== '' && signed[2] !== '') return null;
  if (signed[1] === '-' || signed[2] === '-') negative = !negative;
  text = signed[3]!;
  if (text.includes(',')) {
    if (!/^\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/.test(text)) return null;
    text = text.replace(/,/g, '');
  }
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) return null;
  return negative ? new Exact(text).negated() : new Exact(text);
}

/**
 * Exact decimals: strings on the wire, `numeric` in the database, never a float.
 * @param places shown and stored, unless the field says otherwise; null = as many as there are
 * @param sql the column type for this number of decimals; undefined = the type's default
 */
export function decimalType(
  name: string,
  places: number | null,
  sql: (precision: number | undefined) => string,
  more: Partial<FieldType> = {},
): FieldType {
  const placesOf = (field: Field) => field.precision ?? places;
  // Called for each stored value.
  const types = new Map<number | undefined, string>();
  return {
    name,
    sql: ({ precision }) => {
      let type = types.get(precision);
      if (type === undefined) types.set(precision, (type = sql(precision)));
      return type;
    },
    filter: 'number',
    widget: name,
    align: 'right',
    can: EXACT_NUMBER,
    parse: (text, field): Parsed => {
      if (text === null || text === undefined || written(text).trim() === '') return { value: null };
      const limit = placesOf(field);
      const plain = typeof text === 'number' || typeof text === 'string' ? withPlaces(String(text), limit) : null;
      if (plain !== null) return { value: plain };
      const number = decimalOf(text);
      if (number === null) return { error: `"${written(text)}" is not a number.` };
      // A number from a spreadsheet has floating-point noise; a person's text does not.
      const exact = typeof text === 'number' ? number.toDecimalPlaces(limit ?? 10) : number;
      if (limit !== null && exact.decimalPlaces() > limit) return { error: `At most ${limit} decimals.` };
      return { value: limit === null ? exact.toFixed() : exact.toFixed(limit) };
    },
    format: (value, field) => {
      if (value === null || value === undefined || value === '') return '';
      const number = decimalOf(value);
      if (number === null) return written(value);
      const limit = field.currency ? Math.max(decimalsOf(field.currency), number.decimalPlaces()) : placesOf(field);
      const shown = limit === null ? number.toFixed() : number.toFixed(limit);
      return grouped(field.trim ? new Exact(shown).toFixed() : shown, currencyOf(field));
    },
    excel: {
      format: (field) =>
        field.currency
          ? excelFormat(decimalsOf(field.currency), field.currency, `"${currencySymbol(field.currency)}"`)
          : excelFormat(placesOf(field), currencyOf(field)),
      write: (value) => (value === null || value === undefined ? null : Number(value)),
    },
    // A client may send a JSON number; the stored and compared value is always the text.
    clean: (value, field) => {
      if ((typeof value !== 'number' && typeof value !== 'string') || hasLostDigits(value)) return value;
      const limit = placesOf(field);
      const plain = withPlaces(String(value), limit);
      if (plain !== null) return plain;
      const number = value === '' ? null : decimalOf(value);
      if (number === null) return value === '' ? null : value;
      return limit !== null && number.decimalPlaces() <= limit ? number.toFixed(limit) : number.toFixed();
    },
    ...more,
  };
}

function excelFormat(places: number | null, currency: string, sign = ''): string {
  const fraction = places === null ? '.##########' : places === 0 ? '' : `.${'0'.repeat(places)}`;
  if (!inLakhs(currency)) return `${sign}#,##0${fraction}`;
  return `[>=10000000]${sign}##\\,##\\,##\\,##0${fraction};[>=100000]${sign}##\\,##\\,##0${fraction};${sign}##,##0${fraction}`;
}
