import { Decimal } from 'decimal.js';
import type { Effect } from '../../../engine/modules.ts';

/** Reverses the uses of a void receipt's advance. */
export const giveBackAdvance: Effect = {
  elevated: true,
  async apply({ unit: own, record }) {
    const unit = own.elevated();
    const uses = await unit.query<{ id: number }>(
      `select id from {advance_use} where receipt_id = $1 and status = 'booked' order by id`,
      [record.id],
    );
    for (const { id } of uses) await unit.transition('advance_use', id, 'undo', { undone_on: record.bounced_on });
  },
};

/** Drafts the bank's charge for a bounced cheque as a debit note to the customer, and notifies the account manager. */
export const chargeBounce: Effect = {
  elevated: true,
  async apply({ unit: own, record }) {
    const unit = own.elevated();
    const [customer] = await unit.query<{ name: string; user_id: number | null }>(
      `select c.name, (select u.id from {users} u where u.employee_id = c.account_manager_id limit 1) as user_id
       from {customer_dtl} c where c.id = $1`,
      [record.customer_id],
    );
    const charge = new Decimal(String(record.bank_charge ?? 0));
    if (charge.isZero()) return;
    const [service] = await unit.query<{ id: number }>(
      `select id from {fmsservice} where active and service_kind = 'other' order by id limit 1`,
    );
    if (!service)
      return unit.refuse([
        {
          field: 'bank_charge',
          message: 'There is no service of kind "Other" to bill the charge with. Add one, or leave the charge empty.',
        },
      ]);
    await unit.create('billing', {
      bill_kind: 'debit_note',
      customer_id: record.customer_id,
      branch_id: record.branch_id,
      reason_text: `Bank charge: ${customer!.name}, cheque ${String(record.instrument_no ?? '')}`.slice(0, 250),
      lines: [
        {
          service_id: service.id,
          description: `Charge of the bank for cheque ${String(record.instrument_no ?? '')} that came back`,
          qty: '1',
          rate: charge.toFixed(2),
        },
      ],
    });
  },
};
