import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';

/** A visit is released only while its contract is active and its lift is in service. */
export const mayBeReleased: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const [found] = await unit.query<{ contract: string; line: string; lift: string; lift_no: string }>(
      `select c.status as contract, l.line_status as line, f.status as lift, f.lift_no
       from {contract_line} l join {contract} c on c.id = l.contract_id join {lift} f on f.id = $2 where l.id = $1`,
      [record.contract_line_id, record.lift_id],
    );
    const errors: FieldError[] = [];
    if (found?.contract !== 'active' || found.line !== 'active')
      errors.push({
        field: 'contract_line_id',
        message: 'The contract of this lift is not active. The visit stays planned.',
      });
    if (found?.lift === 'shut_down')
      errors.push({
        field: 'lift_id',
        message: `Lift ${found.lift_no} is shut down. Release the visit once it is back in service.`,
      });
    return errors;
  },
};
