import { afterEach, expect, it } from 'vitest';
import { fieldType } from '../../../src/descriptor/fieldtypes/registry.ts';
import { formatMoney, formatNumber } from '../../../src/descriptor/format.ts';
import { unitOf } from '../../../src/descriptor/money.ts';
import { USUAL_PLACE, setPlace } from '../../../src/descriptor/place.ts';
import type { Field } from '../../../src/descriptor/types.ts';
import { head } from '../../../src/server/records/excel/sheet_columns.ts';

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

it('counts and measures are grouped as the company writes numbers', () => {
  expect([1234567, 0.1 + 0.2, -1234.5, 1e21].map((value) => formatNumber(value))).toEqual([
    '12,34,567',
    '0.3',
    '-1,234.5',
    '1,00,00,00,00,00,00,00,00,00,000',
  ]);
  setPlace(() => ({ ...USUAL_PLACE, currency: 'USD' }));
  expect([formatNumber(1234567), formatNumber(1.26, 1)]).toEqual(['1,234,567', '1.3']);
});

it('amounts of records of no company are in the currency of the client, unless the field says its unit', () => {
  setPlace(() => ({ ...USUAL_PLACE, currency: 'USD', clientCurrency: 'INR' }));
  const ofClient = { ...amount, ofClient: true } as Field;
  expect([unitOf(ofClient), fieldType('money').format('1234567.50', ofClient)]).toEqual(['₹', '12,34,567.50']);
  expect(unitOf({ ...amount, unit: '₹ lakh' })).toBe('₹ lakh');
});
