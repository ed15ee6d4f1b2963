import { addDays } from '../../../../domain/fms/contract_years.ts';
import { renewalPrice } from '../../../../domain/fms/escalation.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { idsOf, priceOn, rowsOf } from '../line_money.ts';
import { policyRules } from '../policies.ts';
import { escalationFor } from '../prices.ts';
import { latestLines } from './renewal_lines.ts';

/**
 * The escalated price of each renewed lift, where the ESCALATION policy wants lower prices approved; empty for other
 * quotations and for lifts that change their AMC type.
 */
export const renewalFloor: Fill = {
  async run({ unit, record }) {
    const rows = rowsOf(record.lines);
    const none = { lines: rows.map(() => ({ renewal_rate: null })) };
    if (record.quotation_kind !== 'renewal' || typeof record.previous_contract_id !== 'number') return none;
    const day = typeof record.quoted_on === 'string' ? record.quoted_on : dayOfRecord(unit, record);
    const policies = await policyRules(unit, ['ESCALATION'], day);
    const known = await latestLines(unit, idsOf(rows.map(({ lift_id: id }) => id)));
    return {
      lines: await Promise.all(
        rows.map(async ({ lift_id: lift, amc_type_id: type }) => {
          const line = known.get(Number(lift));
          if (
            !line ||
            line.contract_id !== record.previous_contract_id ||
            (type ?? line.amc_type_id) !== line.amc_type_id
          )
            return { renewal_rate: null };
          const policy = (await policies(line)).get('ESCALATION')?.parameters;
          if (policy?.below_needs_approval !== true) return { renewal_rate: null };
          const { base, commissioned } = line;
          const start = addDays(line.to_on, 1);
          const escalation = await escalationFor(unit, line, policy);
          return {
            renewal_rate: renewalPrice(
              await priceOn(unit, line, line.to_on),
              { base, commissioned, start },
              escalation,
            ),
          };
        }),
      ),
    };
  },
};
