import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { closedPeriod, todayOf } from '../open_period.ts';

/**
 * Whether a posted bill may be cancelled: no receipt or credit, the same open month, and an e-invoice at most a day
 * old.
 */
export const mayCancel: Guard = {
  async check({ unit, record }) {
    const branch = (record.branch_id as number | null) ?? null;
    const day = String(record.bill_date);
    const found: FieldError[] = await closedPeriod(unit, { field: 'bill_date', day, branch });
    const has = (name: string) => !new Decimal(String(record[name] ?? 0)).isZero();
    if (has('paid') || has('deducted'))
      found.push({
        field: 'paid',
        message: 'Money was received on this bill. Reverse the receipt first, or create a credit note.',
      });
    if (has('credited'))
      found.push({ field: 'credited', message: 'This bill has a credit note. Cancel the note first.' });
    if (has('used')) found.push({ field: 'used', message: 'The credit was used for other bills. Reverse that first.' });
    if (day.slice(0, 7) !== todayOf(unit, branch).slice(0, 7))
      found.push({ field: 'bill_date', message: 'Bills of earlier months cannot be cancelled. Create a credit note.' });
    if (record.e_invoice === 'done' && record.ack_on !== null && String(record.ack_on) < todayOf(unit, branch))
      found.push({ field: 'irn', message: 'Its e-invoice is older than 24 hours. Create a credit note.' });
    return found;
  },
};
