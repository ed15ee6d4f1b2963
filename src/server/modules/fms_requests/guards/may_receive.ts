import { Exact } from '../../../../descriptor/exact.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { rowsOf } from '../request_lines.ts';

/**
 * A receipt must match the dues: the technician's own, no more than the open quantity, and the serial number that was
 * removed.
 */
export const mayReceive: Guard = {
  async check({ unit, record }) {
    const errors: FieldError[] = [];
    const dues = await unit.query<{
      id: number;
      technician: number;
      open: string;
      serial: string | null;
      state: string;
    }>(
      `select id, technician_id as technician, (qty - received_qty)::text as open, old_serial_no as serial, state from {mr_return_due} where id = any($1::bigint[])`,
      [rowsOf(record).flatMap(({ return_due_id: id }) => (typeof id === 'number' ? [id] : []))],
    );
    for (const [at, row] of rowsOf(record).entries()) {
      const due = dues.find(({ id }) => Number(id) === row.return_due_id);
      if (!due) continue;
      const field = `lines.${at}.return_due_id`;
      if (Number(due.technician) !== record.technician_id || !['due', 'handed_over'].includes(due.state))
        errors.push({ field, message: 'This part is no longer due from this technician.' });
      else if (new Exact(String(row.qty)).greaterThan(due.open))
        errors.push({ field: `lines.${at}.qty`, message: `Only ${new Exact(due.open).toString()} is still due.` });
      else if (due.serial !== null && row.serial_no !== due.serial && row.found !== 'different_serial')
        errors.push({
          field: `lines.${at}.serial_no`,
          message: `${due.serial} was taken out of the lift. Enter it, or choose the finding "Different serial".`,
        });
    }
    return errors;
  },
};
