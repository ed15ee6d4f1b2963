import { decimalOf } from './fieldtypes/decimal_numbers.ts';
import { currencySymbol, grouped, inCurrency, inLakhs, unitOf } from './money.ts';
import { dayFirst, written } from './fieldtypes/written.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { atRecord } from './place.ts';
import type { Field } from './types.ts';

/**
 * The displayed value of a field. References and files show the label stored beside them in the record
 * (`<field>__label`); without it, their id. An amount with its own currency has its symbol.
 */
export function formatValue(field: Field, value: unknown, record?: Readonly<Record<string, unknown>>): string {
  const label = record?.[`${field.name}__label`];
  if (label !== undefined && label !== null && value !== null && value !== undefined)
    return Array.isArray(label) ? label.join(', ') : written(label);
  if (field.currencyFrom === undefined) return fieldType(field.type).format(value, field);
  const own = inCurrency(field, record);
  const text = fieldType(own.type).format(value, own);
  return text === '' ? '' : `${unitOf(own) ?? ''}${text}`;
}

/** The value of a field without context, as in a sentence: an amount has the symbol of its currency. */
export function formatAlone(field: Field, value: unknown, record?: Readonly<Record<string, unknown>>): string {
  const text = formatValue(field, value, record);
  const isPlain = field.type === 'money' && field.currencyFrom === undefined;
  return isPlain && text !== '' ? `${unitOf(field) ?? ''}${text}` : text;
}

/**
 * A single amount with the symbol of its currency: the record's own, otherwise that of the record's company. If the
 * field has a currency per record and none is available, it has no symbol.
 */
export function formatAmount(
  field: Field | undefined,
  value: string,
  record: Readonly<Record<string, unknown>> | null,
): string {
  if (!field) return formatMoney(value);
  return atRecord(record ?? {}, () => {
    const own = inCurrency(field, record ?? undefined);
    return `${unitOf(own) ?? ''}${fieldType(own.type).format(value, own)}`;
  });
}

/** An amount in the company's currency: ₹12,34,567.50, or $1,234,567.50. */
export function formatMoney(value: string | number, decimals = 2): string {
  return decimalOf(value) === null ? String(value) : currencySymbol() + formatFixed(value, decimals);
}

/** A count or measure that is not a field's value, grouped as the company writes numbers: 12,34,567 or 1,234,567.5. */
export function formatNumber(value: number, decimals = 3): string {
  const number = decimalOf(value);
  return number === null ? String(value) : grouped(number.toDecimalPlaces(decimals).toFixed());
}

/** A figure with as many decimals as given, for columns whose points stand under each other: 80.00 beside 91.14. */
export function formatFixed(value: string | number, decimals: number): string {
  const number = decimalOf(value);
  return number === null ? String(value) : grouped(number.toFixed(decimals));
}

/** A short form of a large figure, for axes and tiles: 1.23 Cr, 4.5 L, or 12.3 M; unchanged below a lakh. */
export function formatCompact(value: number, currency?: string): string {
  const [over, steps] = inLakhs(currency)
    ? [
        1e5,
        [
          [1e7, 'Cr'],
          [1e5, 'L'],
        ] as const,
      ]
    : [
        1e5,
        [
          [1e9, 'B'],
          [1e6, 'M'],
          [1e3, 'K'],
        ] as const,
      ];
  const size = Math.abs(value);
  // A value that rounds up to the next unit is written in that unit.
  const step = size < over ? undefined : steps.find(([unit]) => size >= unit * 0.99995);
  return step ? `${formatNumber(value / step[0], 2)} ${step[1]}` : formatNumber(value, 2);
}

/** YYYY-MM-DD (or a moment) → DD-MM-YYYY. */
export function formatDate(value: unknown): string {
  return dayFirst(value);
}

/** A displayed date and time in local time: DD-MM-YYYY hh:mm AM, optionally with seconds. */
export function formatMoment(value: string, seconds = false): string {
  return fieldType('datetime').format(value, { seconds } as Field);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** YYYY-MM-DD → 03 Nov 2025, for running text. */
export function formatLongDate(value: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? value : `${day} ${name} ${year}`;
}

/** Names and designations are truncated after 15 characters, with an ellipsis (specification, section 9). */
export function shorten(name: string, limit = 15): string {
  return name.length > limit ? `${name.slice(0, limit)}…` : name;
}
