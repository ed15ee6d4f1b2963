import type { Effect } from '../../../engine/modules.ts';
import { changeLines } from '../contract_lines.ts';
import { pricesOf, yearTotals } from '../prices.ts';

/** Writes the price of each contract year into the lines, and their sums into the contract (C1, C2). */
export const priceYears: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const product = unit.elevated();
    const lines = await pricesOf(unit, record);
    await changeLines(product, record.id, new Map(lines.map(({ id, prices }) => [id, { year_prices: prices }])), [], {
      year_totals: yearTotals(lines),
    });
  },
};
