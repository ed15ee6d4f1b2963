import { Decimal } from 'decimal.js';
import type { Value } from '../../../descriptor/expression/value.ts';
import type { Field } from '../../../descriptor/types.ts';

const WHOLE = new Set(['integer', 'duration', 'rating', 'ref']);

/** The value of an expression in the form used over HTTP. */
export function plainValue(field: Field, value: Value): unknown {
  if (!Decimal.isDecimal(value)) return value;
  const exact = value as Decimal;
  return WHOLE.has(field.type) ? exact.toNumber() : exact.toFixed();
}
