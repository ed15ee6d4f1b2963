import { expect, test } from 'vitest';
import { financialYear, today } from '../../../../src/server/records/numbering.ts';

test('a financial year begins in its month', () => {
  expect(financialYear('2026-03-31', 4)).toBe('2025-26');
  expect(financialYear('2026-04-01', 4)).toBe('2026-27');
  expect(financialYear('2099-12-31', 4)).toBe('2099-00');
  expect(financialYear('2026-06-01', 1)).toBe('2026-27');
});

test('today is the day where the client is', () => {
  const late = new Date('2026-03-31T20:00:00Z');
  expect(today('Asia/Kolkata', late)).toBe('2026-04-01');
  expect(today('UTC', late)).toBe('2026-03-31');
});
