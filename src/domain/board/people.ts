import { Decimal } from 'decimal.js';

/**
 * Percent of the members who left in a year, of the mean of its first and last day, with 2 decimals; null = there was
 * nobody.
 */
export function attrition(left: number, before: number, members: number): string | null {
  const mean = (before + members) / 2;
  return mean === 0 ? null : new Decimal(100).times(left).div(mean).toFixed(2);
}

/** Members with a manager for each manager, with 2 decimals (performance.md §5.20); null = there is no manager. */
export function averageSpan(reporting: number, managers: number): string | null {
  return managers === 0 ? null : new Decimal(reporting).div(managers).toFixed(2);
}
