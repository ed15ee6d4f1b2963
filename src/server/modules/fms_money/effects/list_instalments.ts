import type { GstRates } from '../../../../domain/fms/instalment_table.ts';
import { instalmentTable } from '../../../../domain/fms/instalment_table.ts';
import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { billTax } from '../fills/bill_tax.ts';
import type { PlannedLine } from '../planned_lines.ts';
import { plannedLines } from '../planned_lines.ts';

/** Writes the instalments of a contract with today's GST into the contract, as the agreement shows them. */
export const listInstalments: Effect = {
  elevated: true,
  async apply({ unit: own, record: { id } }) {
    const unit = own.elevated();
    const contract = await unit.read('contract', id);
    const plan = await plannedLines(unit, contract);
    if (plan === null) return;
    // Buildings and services with another place of supply are billed separately, with taxes of their own.
    const rates = new Map<string, GstRates>();
    const supplyOf = ({ building_id: building, service_id: service }: PlannedLine) => `${building} ${service}`;
    for (const line of plan.lines) {
      if (rates.has(supplyOf(line))) continue;
      const taxed = (await billTax.run({
        unit,
        record: {
          branch_id: contract.branch_id,
          customer_id: contract.bill_to_customer_id ?? contract.customer_id,
          building_id: line.building_id,
          bill_date: dayOfRecord(unit, contract),
          lines: [{ service_id: line.service_id }],
        },
      } as unknown as Parameters<typeof billTax.run>[0])) as { lines: Record<string, string | null>[] };
      const {
        cgst_rate: cgst = null,
        sgst_rate: sgst = null,
        igst_rate: igst = null,
        cess_rate: cess = null,
      } = taxed.lines[0]!;
      rates.set(supplyOf(line), { cgst, sgst, igst, cess });
    }
    await unit.update('contract', id, {
      instalments: instalmentTable(
        plan.lines.map((line) => ({ bills: line.bills, rates: rates.get(supplyOf(line))! })),
      ),
    });
  },
};
