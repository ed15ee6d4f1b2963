import { Exact } from '../../../../descriptor/exact.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { paidPart } from '../../../../domain/fms/paid_part.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** The part of a proforma that an approved receipt settles, and its invoice. Amounts are exact decimals as text. */
interface Invoiced {
  proforma: number;
  invoice: number;
  cash: string;
  deducted: string;
}

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const sumOf = (rows: readonly Row[], column: string) =>
  rows.reduce((sum, row) => sum.plus(String(row[column] ?? 0)), new Exact(0));
const of = (rows: readonly Row[], bill: number) => rows.filter(({ billing_id: id }) => Number(id) === bill);

/** Makes and posts the tax invoice for the paid part of a proforma, dated on the day of the receipt. */
async function invoiceOf(unit: Unit, proforma: WireRecord, paid: InstanceType<typeof Exact>, day: unknown) {
  const lines = rowsOf(proforma.lines);
  const isWhole = paid.equals(String(proforma.grand_total));
  const parts = paidPart(
    lines.map(({ taxable }) => String(taxable ?? 0)),
    paid.toFixed(2),
    String(proforma.grand_total),
  );
  const made = await unit.create('billing', {
    bill_kind: proforma.supply === 'exempt' ? 'bill_of_supply' : 'tax_invoice',
    bill_date: day,
    proforma_id: proforma.id,
    ...Object.fromEntries(
      ['customer_id', 'building_id', 'branch_id', 'contract_id', 'payment_term_id', 'order_no'].map((name) => [
        name,
        proforma[name] ?? null,
      ]),
    ),
    lines: lines.map((line, at) => ({
      ...Object.fromEntries(
        ['service_id', 'item_id', 'lift_id', 'description', 'period_from', 'period_to'].map((name) => [
          name,
          line[name] ?? null,
        ]),
      ),
      ...(isWhole
        ? { qty: line.qty, rate: line.rate, discount: line.discount }
        : { qty: '1', rate: parts[at], discount: '0' }),
    })),
  });
  return unit.transition('billing', made.id, 'post');
}

/**
 * A receipt against a proforma creates the tax invoice of the paid part, and settles that invoice instead of the
 * proforma (section 4 of the design of field service). If the receipt bounces, the invoice stays and is due again.
 */
export const invoiceProformas: Effect = {
  elevated: true,
  async apply({ unit: own, record }): Promise<Invoiced[]> {
    const unit = own.elevated();
    const allocations = rowsOf(record.allocations);
    const deductions = rowsOf(record.deductions);
    const ids = [...new Set(allocations.map(({ billing_id: id }) => Number(id)))];
    const proformas = await unit.query<{ id: number }>(
      `select id from {billing} where id = any($1::bigint[]) and bill_kind = 'proforma' order by id`,
      [ids],
    );
    const done: Invoiced[] = [];
    for (const { id } of proformas) {
      const cash = sumOf(of(allocations, id), 'cash');
      const deducted = sumOf(of(deductions, id), 'amount');
      const paid = cash.plus(deducted);
      if (paid.lessThanOrEqualTo(0)) continue;
      const proforma = await unit.read('billing', id);
      const invoice = await invoiceOf(unit, proforma, paid, record.value_on ?? record.receipt_on);
      const onInvoice = (rows: readonly Row[]) => ({
        set: Object.fromEntries(of(rows, id).map((row) => [String(row.id), { billing_id: invoice.id }])),
      });
      await unit.update('receipt', record.id, {
        allocations: onInvoice(allocations),
        ...(of(deductions, id).length > 0 && { deductions: onInvoice(deductions) }),
      });
      await unit.update('billing', invoice.id, { paid: cash.toFixed(2), deducted: deducted.toFixed(2) });
      // The invoice now bills what was planned: credit notes refer to it.
      await unit.query(
        `update {billing_schedule} set billing_id = $2, version = version + 1, updated_at = now() where billing_id = $1 and status = 'billed'`,
        [id, invoice.id],
      );
      if (new Exact(String(proforma.outstanding)).isZero()) await unit.takeAuto('billing', id, 'convert');
      done.push({ proforma: id, invoice: invoice.id, cash: cash.toFixed(2), deducted: deducted.toFixed(2) });
    }
    return done;
  },
  locks: (_, done) =>
    Promise.resolve(
      ((done ?? []) as Invoiced[]).flatMap(({ proforma, invoice }) => [
        { type: 'billing', id: proforma },
        { type: 'billing', id: invoice },
      ]),
    ),
  async reverse({ unit: own }, result) {
    const unit = own.elevated();
    for (const { proforma, invoice, cash, deducted } of result as Invoiced[]) {
      const add = async (id: number, sign: 1 | -1) => {
        const bill = await unit.read('billing', id, { lock: true });
        await unit.update('billing', id, {
          paid: new Exact(String(bill.paid)).plus(new Exact(cash).times(sign)).toFixed(2),
          deducted: new Exact(String(bill.deducted)).plus(new Exact(deducted).times(sign)).toFixed(2),
        });
      };
      await add(invoice, -1);
      // The receipt reverses its settlement of the proforma next; the invoiced part must stay.
      await add(proforma, 1);
    }
  },
};
