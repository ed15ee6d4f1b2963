import { Exact } from '../../../../descriptor/exact.ts';
import { landedCosts } from '../../../../domain/fms_stores/landed_cost.ts';
import type { Fill } from '../../../engine/modules.ts';
import { storesSetting } from '../stock/lookups.ts';

type Row = Record<string, unknown>;

/** The cost in stock of each line of a receipt, with its share of the charges (5.5); zero for a transfer. */
export const landedCost: Fill = {
  async run({ unit, record }) {
    const lines = (record.lines ?? []) as Row[];
    if (record.source === 'transfer')
      return { lines: lines.map(() => ({ base: null, landed_value: null, landed_rate: null })) };
    const { itc_eligible: itc } = await storesSetting(unit);
    const costs = landedCosts(
      lines.map((line) => ({
        qty: String(line.accepted_qty ?? 0),
        // Charges are in the base currency, rates in that of the vendor.
        rate: new Exact(String(line.rate ?? 0)).times(String(record.exchange_rate ?? 1)).toString(),
        discount: String(line.discount ?? 0),
        gst_rate: String(line.gst_rate ?? 0),
      })),
      ((record.charges ?? []) as Row[]).map(({ amount }) => String(amount ?? 0)),
      itc,
    );
    return { lines: costs.map(({ base, value, rate }) => ({ base, landed_value: value, landed_rate: rate })) };
  },
};
