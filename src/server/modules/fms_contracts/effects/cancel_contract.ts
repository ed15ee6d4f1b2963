import type { Effect } from '../../../engine/modules.ts';
import { addDays } from '../../../../domain/fms/contract_years.ts';
import { changeLines, deriveLiftStates } from '../contract_lines.ts';
import { rowsOf } from '../line_money.ts';
import { amended } from '../move_lines.ts';
import { sayUnearned } from '../unearned.ts';
import { leaveEmpty } from './change_contract.ts';

/** A cancellation takes effect the day after its last day (C10): its lines end, and the contract with the last of them. */
export const cancelContract: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'contract', id: Number(record.contract_id) }]),
  async apply({ unit, record }) {
    const product = unit.elevated();
    const contract = Number(record.contract_id);
    const last = String(record.last_day);
    const rows = rowsOf(record.lines);
    await changeLines(
      product,
      contract,
      new Map(rows.map(({ contract_line_id: id }) => [Number(id), { line_status: 'cancelled', closes_on: last }])),
    );
    await amended(product, await product.read('contract', contract), [
      {
        effective_on: addDays(last, 1),
        field: 'Lifts',
        old: rows
          .map(({ lift_id__label: name }) => String(name))
          .join(', ')
          .slice(0, 240),
        new: 'Cancelled',
        reason: String(record.cancel_category_id__label ?? ''),
      },
    ]);
    await product.update('contract', contract, { cancelled_on: addDays(last, 1) });
    await leaveEmpty(product, [contract], 'cancel_running');
    await deriveLiftStates(
      product,
      rows.map(({ lift_id: id }) => Number(id)),
      addDays(last, 1),
    );
    sayUnearned(
      unit,
      { type: 'amc_cancellation', id: record.id },
      {
        last_day: last,
        billing_action: 'credit_rebill',
        lines: rows.map((row) => ({
          contract_line_id: Number(row.contract_line_id),
          new_line_id: null,
          unearned: String(row.unearned),
          credit: String(row.credit),
        })),
      },
    );
  },
};
