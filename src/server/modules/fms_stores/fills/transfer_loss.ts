import { Exact } from '../../../../descriptor/exact.ts';
import type { Fill } from '../../../engine/modules.ts';
import { storesSetting } from '../stock/lookups.ts';
import { valueAtAverage } from '../stock/value_at_average.ts';

type Row = Record<string, unknown>;

/** The value of the pieces of a transfer that are lost, and whether it is within the limit without approval (4.3). */
export const transferLoss: Fill = {
  async run({ unit, record }) {
    const lost = ((record.lines ?? []) as Row[]).filter(
      ({ resolution, open_qty: open }) => resolution === 'lost' && Number(open ?? 0) > 0,
    );
    if (lost.length === 0) return { loss_value: null, loss_within_limit: true };
    const values = await valueAtAverage(
      unit,
      lost.map((line) => ({
        item: Number(line.item_id),
        condition: String(line.condition ?? 'new'),
        qty: String(line.open_qty),
        uom: (line.uom_id as number | null) ?? null,
      })),
    );
    const loss = values.reduce<InstanceType<typeof Exact>>((sum, value) => sum.plus(value ?? 0), new Exact(0));
    const { adjustment_limit: limit } = await storesSetting(unit);
    return { loss_value: loss.toFixed(2), loss_within_limit: Number(limit) > 0 && loss.lessThanOrEqualTo(limit) };
  },
};
