import { place } from './place.ts';
import type { Field } from './types.ts';

/** Groups a plain decimal text the Indian way: 1234567.5 → 12,34,567.5. */
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

/** Groups a plain decimal text as people with this currency write numbers. */
export function grouped(text: string, currency = place().currency): string {
  return inLakhs(currency) ? indianGrouping(text) : westernGrouping(text);
}

/** The currency of a field of money: the company's; of a record that belongs to no company, the client's. */
export function currencyOf(field: Field): string {
  return field.ofClient ? place().clientCurrency : place().currency;
}

const symbols = new Map<string, string>();

/** INR → ₹, USD → $; a currency without a sign is its code. */
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

/** What the values of a field are in: its own unit, or the currency of money. */
export function unitOf(field: Field): string | undefined {
  return field.unit ?? (field.type === 'money' ? currencySymbol(currencyOf(field)) : undefined);
}
