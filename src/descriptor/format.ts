import { indianGrouping, decimalOf } from './fieldtypes/decimal_numbers.ts';
import { dayFirst, written } from './fieldtypes/written.ts';
import { fieldType } from './fieldtypes/registry.ts';
import type { Field } from './types.ts';

/**
 * A field's value for people. References and files show the label that stands beside them in the
 * record (`<field>__label`); without it, their id.
 */
export function formatValue(field: Field, value: unknown, record?: Readonly<Record<string, unknown>>): string {
  const label = record?.[`${field.name}__label`];
  if (label !== undefined && label !== null && value !== null && value !== undefined)
    return Array.isArray(label) ? label.join(', ') : written(label);
  return fieldType(field.type).format(value, field);
}

/** 1234567.5 → 12,34,567.50 (Indian grouping, 2 decimals unless said). */
export function formatMoney(value: string | number, decimals = 2): string {
  const number = decimalOf(value);
  return number === null ? String(value) : indianGrouping(number.toFixed(decimals));
}

/** YYYY-MM-DD (or a moment) → DD-MM-YYYY. */
export function formatDate(value: unknown): string {
  return dayFirst(value);
}

/** Names and designations over 15 characters are cut there, with an ellipsis (specification, section 9). */
export function shorten(name: string, limit = 15): string {
  return name.length > limit ? `${name.slice(0, limit)}…` : name;
}
