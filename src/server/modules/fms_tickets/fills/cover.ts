import { callCover } from '../../../../domain/fms/call_charge.ts';
import type { Fill } from '../../../engine/modules.ts';
import { contractOn } from '../contract_in_force.ts';
import { dayAt } from '../day_at.ts';

/** The cover of a call on the day of its report (C19); later changes of the contract do not affect it. */
export const cover: Fill = {
  async run({ unit, record }) {
    const day = dayAt(unit, record, record.reported_at);
    const found = await contractOn(unit, record.lift_id, day);
    const [lift] = await unit.query<{ warranty_to: string | null; blocked: boolean }>(
      `select l.warranty_to::text, c.status = 'blocked' as blocked from {lift} l left join {customer_dtl} c on c.id = l.customer_id where l.id = $1`,
      [record.lift_id ?? null],
    );
    return {
      ...callCover({
        day,
        contract: found && {
          no: found.contract_no ?? '',
          kind: found.contract_kind,
          held: found.held,
          coverage: found.coverage,
        },
        warrantyTo: lift?.warranty_to ?? null,
        blocked: lift?.blocked === true,
      }),
      contract_line_id: found?.contract_line_id ?? null,
      contract_id: found?.contract_id ?? null,
      amc_type_id: found?.amc_type_id ?? null,
    };
  },
};
