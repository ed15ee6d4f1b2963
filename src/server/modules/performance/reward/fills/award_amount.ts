import { Decimal } from 'decimal.js';
import type { SlabMode } from '../../../../../domain/performance_reward/incentive.ts';
import { gross } from '../../../../../domain/performance_reward/incentive.ts';
import type { Fill } from '../../../../engine/modules.ts';
import { numberOf } from '../../sheet_lines.ts';
import { slabsOf } from '../scheme.ts';

/** The amount of an award in units: by the slabs of its scheme, otherwise at the entered rate. */
export const awardAmount: Fill = {
  async run({ unit, record }) {
    const quantity = numberOf(record.quantity);
    if (record.award_kind !== 'per_unit' || quantity === null) return { amount: null };
    if (typeof record.incentive_id === 'number') {
      const [scheme] = await unit.query<{ slab_mode: SlabMode }>('select slab_mode from {incentive} where id = $1', [
        record.incentive_id,
      ]);
      const slabs = await slabsOf(unit, record.incentive_id);
      if (!scheme) return { amount: null };
      const { gross: amount } = gross({ kind: 'per_unit', mode: scheme.slab_mode, slabs, value: quantity });
      return { amount: new Decimal(amount).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(2) };
    }
    const rate = numberOf(record.rate);
    return {
      amount:
        rate === null ? null : new Decimal(quantity).times(rate).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(2),
    };
  },
};
