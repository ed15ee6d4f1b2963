import { Decimal } from 'decimal.js';
import type { Effect } from '../../../engine/modules.ts';

/** A posted credit note reduces the outstanding amount of its bill; the excess remains available for other bills. */
export const applyNote: Effect = {
  elevated: true,
  locks: ({ record }) =>
    Promise.resolve(
      record.bill_kind === 'credit_note' ? [{ type: 'billing', id: Number(record.original_bill_id) }] : [],
    ),
  async apply({ unit: own, record }) {
    if (record.bill_kind !== 'credit_note') return null;
    const unit = own.elevated();
    const original = await unit.read('billing', Number(record.original_bill_id), { lock: true });
    const applied = Decimal.max(0, Decimal.min(String(original.outstanding), String(record.grand_total))).toFixed(2);
    await unit.update('billing', original.id, {
      credited: new Decimal(String(original.credited)).plus(applied).toFixed(2),
    });
    await unit.update('billing', record.id, { applied });
    return { original: original.id, applied };
  },
  async reverse({ unit: own, record }, result) {
    const done = result as { original: number; applied: string } | null;
    if (done === null) return;
    const unit = own.elevated();
    const original = await unit.read('billing', done.original, { lock: true });
    await unit.update('billing', done.original, {
      credited: new Decimal(String(original.credited)).minus(done.applied).toFixed(2),
    });
    await unit.update('billing', record.id, { applied: '0' });
  },
};
