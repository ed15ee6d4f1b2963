import { place } from './place.ts';
import type { Field } from './types.ts';

/** Groups a plain decimal text in the Indian way: 1234567.5 → 12,34,567.5. */
function indianGrouping(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\..*)?$/.exec(text) ?? [];
  if (whole.length <= 3) return sign + whole + fraction;
  const head = whole.slice(0, -3).replace(/\B(?=(\d{2})+(?!\d))/g, ',');
  return `${sign}${head},${whole.slice(-3)}${fraction}`;
}

/** Groups a plain decimal text by thousands: 1234567.5 → 1,234,567.5. */
function westernGrouping(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\..*)?$/.exec(text) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}${fraction}`;
}

/** Whether amounts of a currency are written in lakh and crore. */
export function inLakhs(currency = place().currency): boolean {
  return currency === 'INR';
}

/** Groups a plain decimal text in the way usual for this currency. */
export function grouped(text: string, currency = place().currency): string {
  return inLakhs(currency) ? indianGrouping(text) : westernGrouping(text);
}

/**
 * The currency of a money field: the record's, otherwise the company's; for a record that belongs to no company, the
 * client's.
 */
export function currencyOf(field: Field): string {
  if (field.currency) return field.currency;
  return field.ofClient ? place().clientCurrency : place().currency;
}

const symbols = new Map<string, string>();

/** INR → ₹, USD → $; a currency without a symbol is shown by its code. */
export function currencySymbol(currency = place().currency): string {
  let symbol = symbols.get(currency);
  if (symbol === undefined) {
    const parts = /^[A-Z]{3}$/.test(currency)
      ? new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0)
      : [];
    symbols.set(currency, (symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency));
  }
  return symbol;
}

/** The unit of a field's values: its own unit, or the currency of money. None if each record has its own. */
export function unitOf(field: Field): string | undefined {
  if (field.unit !== undefined || field.type !== 'money') return field.unit;
  return field.currency === '' || (field.currencyFrom !== undefined && field.currency === undefined)
    ? undefined
    : currencySymbol(currencyOf(field));
}

const variants = new WeakMap<Field, Map<string, Field>>();

/**
 * The field with the currency of one record (`x-currency`). No currency chosen: the company's. If the record does not
 * include the field or its name, the currency is unknown and no symbol is shown.
 */
export function inCurrency(field: Field, record: Readonly<Record<string, unknown>> | undefined): Field {
  const name = field.currencyFrom;
  if (name === undefined || field.currency !== undefined) return field;
  const code = currencyIn(name, record) ?? (field.ofClient ? place().clientCurrency : place().currency);
  const known = variants.get(field) ?? new Map<string, Field>();
  variants.set(field, known);
  const found = known.get(code) ?? { ...field, currency: code };
  known.set(code, found);
  return found;
}

/** The currency code of a record; null = none chosen, empty = unknown. */
function currencyIn(name: string, record: Readonly<Record<string, unknown>> | undefined): string | null {
  const value = record?.[name];
  if (value === null || value === '') return null;
  const code = record?.[`${name}__label`] ?? value;
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : '';
}

const decimals = new Map<string, number>();

/** The number of decimals for amounts of a currency: 2, yen none, Kuwaiti dinars 3. */
export function decimalsOf(currency: string): number {
  let count = decimals.get(currency);
  if (count === undefined) {
    count = /^[A-Z]{3}$/.test(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
      : 2;
    decimals.set(currency, count);
  }
  return count;
}
