import { formatNumber } from '../../../../../descriptor/format.ts';
import type { PayoutKind, SlabMode } from '../../../../../domain/performance_reward/incentive.ts';
import { jumps } from '../../../../../domain/performance_reward/incentive.ts';
import type { Fill } from '../../../../engine/modules.ts';
import { numberOf } from '../../sheet_lines.ts';

const shown = (amount: string): string => formatNumber(Number(amount), 0);

/** Warns where a small difference in the result changes the payout much, so that the author of a scheme notices. */
export const slabJumps: Fill = {
  run({ record }) {
    const rows = Array.isArray(record.slabs) ? (record.slabs as Record<string, unknown>[]) : [];
    const slabs = rows.flatMap((row) => {
      const [from, rate] = [numberOf(row.from), numberOf(row.rate)];
      return from === null || rate === null ? [] : [{ from, rate }];
    });
    const found = jumps({
      kind: record.payout_kind as PayoutKind,
      mode: (record.slab_mode ?? 'whole') as SlabMode,
      slabs,
    });
    const words = found.map(
      ({ at, before, above }) => `At ${shown(at)} the payout changes from ${shown(before)} to ${shown(above)}.`,
    );
    return Promise.resolve({ jump_note: words.length === 0 ? null : words.join(' ').slice(0, 500) });
  },
};
