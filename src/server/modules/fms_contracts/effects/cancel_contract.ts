import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import { addDays } from '../../../../domain/fms/contract_years.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { changeLines, deriveLiftStates } from '../contract_lines.ts';
import { rowsOf } from '../line_money.ts';
import { amended } from '../move_lines.ts';
import { sayUnearned } from '../unearned.ts';
import { leaveEmpty } from './change_contract.ts';

/** Makes open calls of the lifts chargeable from now on, if the cancellation says so. */
async function openCalls(unit: Unit, record: WireRecord): Promise<void> {
  if (record.calls_action !== 'chargeable') return;
  const calls = await unit.query<{ id: number }>(
    `select t.id from {fms_ticket} t where t.lift_id = any($1::bigint[]) and t.active and t.cover = 'covered' and t.scheduled_ticket_id is null
       and t.status in ('new', 'assigned', 'accepted', 'travelling', 'attending', 'paused') order by t.id`,
    [rowsOf(record.lines).map(({ lift_id: lift }) => Number(lift))],
  );
  for (const { id } of calls)
    await unit.update('fms_ticket', id, {
      cover: 'chargeable',
      cover_because: `The contract was cancelled (${String(record.cancel_no)}).`,
    });
}

/** Makes securities of the contract due for return the day after its last day, if the cancellation says so. */
async function securities(unit: Unit, record: WireRecord): Promise<void> {
  if (record.deposit_action !== 'return') return;
  const held = await unit.query<{ id: number }>(
    `select d.id from {deposit} d where d.contract_id = $1 and d.deposit_kind = 'security_taken'
       and d.status in ('lodged', 'part_returned') and d.active order by d.id`,
    [record.contract_id],
  );
  for (const { id } of held) await unit.update('deposit', id, { due_back_on: addDays(String(record.last_day), 1) });
}

/**
 * A cancellation takes effect the day after its last day (C10): its lines end, and so does the contract with its last
 * line.
 */
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
    await openCalls(product, record);
    await securities(product, record);
    sayUnearned(
      unit,
      { type: 'amc_cancellation', id: record.id },
      {
        last_day: last,
        billing_action: 'credit_rebill',
        nets_dues: record.dues_action === 'net',
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
