import { Exact } from '../../../../descriptor/exact.ts';
import type { Fill } from '../../../engine/modules.ts';
import { storesSetting } from '../stock/lookups.ts';
import { dayOfMoment } from '../stock/posting_time.ts';
import { valueAtAverage } from '../stock/value_at_average.ts';

type Row = Record<string, unknown>;

/**
 * The value that an adjustment will post, and whether it is within the limit up to which nobody else approves it (4.3):
 * for people with the right to adjust stock, where every value is known and the day needs no right to back-date.
 */
export const adjustmentWorth: Fill = {
  async run({ unit, record }) {
    const { kind } = record;
    const lines = ((record.lines ?? []) as Row[]).filter(({ item_id: id }) => typeof id === 'number');
    const averages = await valueAtAverage(
      unit,
      lines.map((line) => ({
        item: Number(line.item_id),
        condition: String(line.condition ?? 'new'),
        qty: String(line.qty ?? 0),
        uom: (line.uom_id as number | null) ?? null,
      })),
    );
    let isKnown = lines.length > 0;
    const worth = lines.reduce((sum, line, at) => {
      if (kind === 'revaluation' || kind === 'invoice_difference')
        return sum.plus(new Exact(String(line.change ?? 0)).abs());
      const isStated = (kind === 'opening' || kind === 'vendor_return') && (line.rate ?? null) !== null;
      const value = isStated ? new Exact(String(line.rate)).times(String(line.qty ?? 0)) : averages[at];
      if (!value) isKnown = false;
      return value ? sum.plus(value) : sum;
    }, new Exact(0));
    const { adjustment_limit: limit, backdate_days: days } = await storesSetting(unit);
    const has = (action: string) => unit.session.rights.refuseAction(action) === null;
    const earliest = Date.parse(dayOfMoment(unit, unit.now)) - days * 86_400_000;
    const isRecent = typeof record.adjusted_on !== 'string' || Date.parse(record.adjusted_on) >= earliest;
    return {
      worth: worth.toFixed(2),
      within_limit:
        isKnown &&
        Number(limit) > 0 &&
        worth.lessThanOrEqualTo(limit) &&
        has('STOCK_ADJUST') &&
        (isRecent || has('STOCK_BACKDATE')),
    };
  },
};
