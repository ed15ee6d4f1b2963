import { instalmentTable } from '../../../../domain/fms/instalment_table.ts';
import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { billTax } from '../fills/bill_tax.ts';
import { plannedLines } from '../planned_lines.ts';

/** Writes the instalments of a contract with today's GST into the contract, as the agreement shows them. */
export const listInstalments: Effect = {
  elevated: true,
  async apply({ unit: own, record: { id } }) {
    const unit = own.elevated();
    const contract = await unit.read('contract', id);
    const plan = await plannedLines(unit, contract);
    if (plan === null) return;
    const taxed = (await billTax.run({
      unit,
      record: {
        branch_id: contract.branch_id,
        customer_id: contract.bill_to_customer_id ?? contract.customer_id,
        building_id: contract.building_id ?? plan.lines[0]?.building_id ?? null,
        bill_date: dayOfRecord(unit, contract),
        lines: plan.lines.map(({ service_id }) => ({ service_id })),
      },
    } as unknown as Parameters<typeof billTax.run>[0])) as { lines: Record<string, string | null>[] };
    await unit.update('contract', id, {
      instalments: instalmentTable(
        plan.lines.map(({ bills }, at) => {
          const { cgst_rate, sgst_rate, igst_rate } = taxed.lines[at]!;
          return { bills, rates: { cgst: cgst_rate ?? null, sgst: sgst_rate ?? null, igst: igst_rate ?? null } };
        }),
      ),
    });
  },
};
