import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

const receiptsOf = (record: Row): number[] => (record.slips as Row[]).map(({ receipt_id: id }) => Number(id));
const refs = (record: Row) => Promise.resolve(receiptsOf(record).map((id) => ({ type: 'receipt', id })));

/** Pays in the receipts of a pay-in slip; cancelling the slip reverses it. */
export const payIn: Effect = {
  elevated: true,
  locks: ({ record }) => refs(record),
  async apply({ unit: own, record }) {
    const unit = own.elevated();
    for (const id of receiptsOf(record)) {
      await unit.update('receipt', id, { deposit_id: record.id });
      if (!(await unit.takeAuto('receipt', id, 'deposit')))
        unit.refuse([{ field: 'slips', message: 'A receipt on this slip is no longer approved. Remove it.' }], 409);
    }
    return receiptsOf(record);
  },
  async reverse({ unit: own }, done) {
    const unit = own.elevated();
    for (const id of done as number[]) {
      await unit.takeAuto('receipt', id, 'take_out');
      await unit.update('receipt', id, { deposit_id: null });
    }
  },
};

/** Clears all pending rows of a slip on one bank day. */
export const clearSlips: Effect = {
  elevated: true,
  locks: ({ record }) => refs(record),
  async apply({ unit: own, record }) {
    const unit = own.elevated();
    for (const { receipt_id: id, clearing } of record.slips as Row[])
      if (clearing === 'pending')
        await unit.transition('receipt', Number(id), 'clear', { cleared_on: record.clears_on });
  },
};

/** Stores the result of a receipt in its row of the pay-in slip. */
async function markSlip(unit: Unit, record: Row, set: Row): Promise<void> {
  if (record.deposit_id === null) return;
  const slip = await unit.read('deposit', Number(record.deposit_id), { lock: true });
  const row = (slip.slips as Row[]).find(({ receipt_id: id }) => id === record.id);
  if (row) await unit.update('deposit', slip.id, { slips: { set: { [String(row.id)]: set } } });
}

/** Updates the pay-in slip of a receipt that cleared or bounced. */
export const markSlipEffect: Effect = {
  args: {
    type: 'object',
    required: ['clearing'],
    additionalProperties: false,
    properties: { clearing: { enum: ['cleared', 'bounced'] } },
  },
  elevated: true,
  async apply({ unit, record, args }) {
    const on = args.clearing === 'cleared' ? record.cleared_on : record.bounced_on;
    await markSlip(unit.elevated(), record, {
      clearing: args.clearing,
      on,
      ...(args.clearing === 'bounced' && { bank_charge: record.bank_charge }),
    });
  },
};
