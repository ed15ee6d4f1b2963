import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { rowsOf } from '../line_money.ts';
import { draftContract, draftQuotation } from '../renewals.ts';
import type { Renewed } from '../renewals.ts';

/**
 * Drafts renewal quotations or contracts, one for each customer, building or lift; contracts also one for each that
 * ends.
 */
export const makeRenewals: Effect = {
  async apply({ unit, record }) {
    const rows: Record<string, unknown>[] = rowsOf(record.lines).map((row) => ({
      ...row,
      amc_type_id: row.new_amc_type_id ?? row.amc_type_id,
      requoted: (row.new_amc_type_id ?? row.amc_type_id) !== row.amc_type_id,
    }));
    const asContract = record.makes === 'contract';
    unit.authorize(asContract ? 'contract' : 'quotation', 'add_screen');
    if (asContract && rows.some(({ requoted }) => requoted === true))
      unit.refuse(
        rows.flatMap(({ requoted }, at) =>
          requoted === true
            ? [
                {
                  field: `lines.${at}.new_amc_type_id`,
                  message: 'Another AMC type needs a quotation. Create a renewal quotation for this lift.',
                },
              ]
            : [],
        ),
      );
    const group = record.group_by;
    const key = (row: Record<string, unknown>) =>
      JSON.stringify([
        row.customer_id,
        group === 'customer' ? null : row.building_id,
        group === 'none' ? row.lift_id : null,
        asContract ? [row.contract_id, row.starts_on] : null,
      ]);
    const set: Record<string, Record<string, unknown>> = {};
    for (const lifts of Map.groupBy(rows, key).values()) {
      const months = Number(record.months ?? 12);
      const made = asContract
        ? await draftContract(unit, lifts as unknown as Renewed[], months)
        : await draftQuotation(unit, lifts as unknown as Renewed[], months, { day: dayOfRecord(unit, record) });
      if (made === null)
        unit.refuse([
          {
            field: 'lines',
            message: 'This customer has no account manager. Enter one first.',
          },
        ]);
      for (const row of lifts) set[String(row.id)] = asContract ? { made_contract_id: made } : { quotation_id: made };
    }
    await unit.update('lift_renewal', record.id, { lines: { set } });
  },
};
