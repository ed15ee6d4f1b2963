import { afterEach, expect, it } from 'vitest';
import { fieldType } from '../../../src/descriptor/fieldtypes/registry.ts';
import { formatMoney, formatNumber, formatValue } from '../../../src/descriptor/format.ts';
import { inCurrency, unitOf } from '../../../src/descriptor/money.ts';
import { USUAL_PLACE, setPlace } from '../../../src/descriptor/place.ts';
import type { Field } from '../../../src/descriptor/types.ts';
import { head } from '../../../src/server/engine/excel/sheet_columns.ts';

const amount = { name: 'amount', title: 'Amount', type: 'money', schema: {} } as unknown as Field;
afterEach(() => setPlace(() => USUAL_PLACE));

it('amounts are in the currency of the company, grouped as it is written', () => {
  setPlace(() => ({ ...USUAL_PLACE, currency: 'USD' }));
  expect(formatMoney('1234567.5')).toBe('$1,234,567.50');
  expect(fieldType('money').format('1234567.50', amount)).toBe('1,234,567.50');
  expect(fieldType('integer').format(1234567, amount)).toBe('1,234,567');
  expect([unitOf(amount), head(amount)]).toEqual(['$', 'Amount ($)']);
  expect(fieldType('money').excel?.format?.(amount)).toBe('#,##0.00');
  setPlace(() => USUAL_PLACE);
  expect(formatMoney('1234567.5')).toBe('₹12,34,567.50');
  expect([unitOf(amount), head(amount)]).toEqual(['₹', 'Amount (₹)']);
  expect(fieldType('money').excel?.format?.(amount)).toContain('##\\,##\\,##\\,##0');
});

it('counts and measures have the company’s number format', () => {
  expect([1234567, 0.1 + 0.2, -1234.5, 1e21].map((value) => formatNumber(value))).toEqual([
    '12,34,567',
    '0.3',
    '-1,234.5',
    '1,00,00,00,00,00,00,00,00,00,000',
  ]);
  setPlace(() => ({ ...USUAL_PLACE, currency: 'USD' }));
  expect([formatNumber(1234567), formatNumber(1.26, 1)]).toEqual(['1,234,567', '1.3']);
});

it('amounts of records without a company are in the client’s currency, unless the field has a unit', () => {
  setPlace(() => ({ ...USUAL_PLACE, currency: 'USD', clientCurrency: 'INR' }));
  const ofClient = { ...amount, ofClient: true } as Field;
  expect([unitOf(ofClient), fieldType('money').format('1234567.50', ofClient)]).toEqual(['₹', '12,34,567.50']);
  expect(unitOf({ ...amount, unit: '₹ lakh' })).toBe('₹ lakh');
});

it('an amount with a currency field has its symbol, decimals and grouping', () => {
  const own = { ...amount, precision: 4, currencyFrom: 'currency_id' } as Field;
  const shown = (value: string, code: string | null, id: number | null = 3) =>
    formatValue(own, value, { currency_id: id, currency_id__label: code });
  expect([shown('1234567.5000', 'USD'), shown('0.0125', 'USD'), shown('1200.0000', 'JPY')]).toEqual([
    '$1,234,567.50',
    '$0.0125',
    '¥1,200',
  ]);
  expect(shown('10.5000', 'KWD')).toMatch(/^KWD\W?10\.500$/);
  // None chosen: the company's. A record that does not carry it, or not its code: no sign at all.
  expect(shown('1234567.5', null, null)).toBe('₹12,34,567.50');
  expect([formatValue(own, '5', {}), formatValue(own, '5', { currency_id: 3 })]).toEqual(['5.0000', '5.0000']);
  expect(formatValue(own, '7', { currency_id: 'EUR' })).toBe('€7.00');
  // The head of a column cannot say it for all rows; a cell of a workbook does.
  expect([unitOf(own), head(own)]).toEqual([undefined, 'Amount']);
  expect(fieldType('money').excel?.format?.(inCurrency(own, { currency_id: 'EUR' }))).toBe('"€"#,##0.00');
});
