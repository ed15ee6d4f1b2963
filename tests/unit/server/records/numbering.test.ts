import { expect, test } from 'vitest';
import { financialYear } from '../../../../src/descriptor/financial_year.ts';

test('a financial year starts in its month', () => {
  expect(financialYear('2026-03-31', 4)).toBe('2025-26');
  expect(financialYear('2026-04-01', 4)).toBe('2026-27');
  expect(financialYear('2099-12-31', 4)).toBe('2099-00');
  expect(financialYear('2026-06-01', 1)).toBe('2026-27');
});
