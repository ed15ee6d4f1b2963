import { Decimal } from 'decimal.js';
import { formatMoney } from '../../../../descriptor/format.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** The amount that a document settles of each bill. */
export function settledByBill(...rows: readonly (readonly [readonly Row[], string])[]): Map<number, Decimal> {
  const settled = new Map<number, Decimal>();
  for (const [of, column] of rows)
    for (const row of of) {
      const bill = Number(row.billing_id);
      settled.set(bill, (settled.get(bill) ?? new Decimal(0)).plus(String(row[column] ?? 0)));
    }
  return settled;
}

/**
 * Bills settled beyond their outstanding amount. The bills are locked first, in the order of their ids, to avoid
 * deadlocks.
 */
export async function beyondOutstanding(
  unit: Unit,
  settled: ReadonlyMap<number, Decimal>,
  { customer, field, what }: { customer: number; field: string; what: string },
): Promise<FieldError[]> {
  const ids = [...settled.keys()].toSorted((a, b) => a - b);
  if (ids.length === 0) return [];
  await unit.lock(ids.map((id) => ({ type: 'billing', id })));
  const bills = await unit.query<{
    id: number;
    bill_no: string | null;
    outstanding: string;
    customer_id: number;
    status: string;
  }>(
    'select id, bill_no, outstanding::text, customer_id, status from {billing} where id = any($1::bigint[]) order by id',
    [ids],
  );
  return bills.flatMap(({ id, bill_no, outstanding, customer_id, status }) => {
    const name = bill_no ?? 'A bill that is not posted';
    if (customer_id !== customer) return [{ field, message: `${name} is of another customer.` }];
    if (status !== 'posted') return [{ field, message: `${name} is no longer open. Reallocate or return.` }];
    const uses = settled.get(id)!;
    if (uses.lte(outstanding)) return [];
    return [
      {
        field,
        message: `${name} has ${formatMoney(outstanding)} left, ${what} uses ${formatMoney(uses.toFixed(2))}. Reallocate or return.`,
      },
    ];
  });
}

/** Whether a receipt settles at most the outstanding amount of each bill, read again under lock (C7). */
export const withinOutstanding: Guard = {
  check({ unit, record }) {
    const settled = settledByBill([record.allocations as Row[], 'cash'], [record.deductions as Row[], 'amount']);
    return beyondOutstanding(unit, settled, {
      customer: Number(record.customer_id),
      field: 'allocations',
      what: 'this receipt',
    });
  },
};

/** Whether an advance or a credit note's rest covers the used amount, and the bills can take it. */
export const useFits: Guard = {
  async check({ unit, record }) {
    const [source] =
      record.receipt_id === null
        ? await unit.query<{ left: string; customer_id: number; since: string }>(
            'select left_to_use::text as left, customer_id, bill_date::text as since from {billing} where id = $1',
            [record.note_id],
          )
        : await unit.query<{ left: string; customer_id: number; since: string }>(
            'select advance_left::text as left, customer_id, value_on::text as since from {receipt} where id = $1',
            [record.receipt_id],
          );
    const field = record.receipt_id === null ? 'note_id' : 'receipt_id';
    const found: FieldError[] = [];
    if (!source || source.customer_id !== record.customer_id)
      return [{ field, message: 'This is of another customer. Choose one of this customer.' }];
    if (new Decimal(String(record.total)).gt(source.left))
      found.push({
        field,
        message: `${formatMoney(source.left)} is left to use; ${formatMoney(String(record.total))} is set against bills. Lower the amounts.`,
      });
    if (String(record.used_on) < source.since)
      found.push({ field: 'used_on', message: 'It cannot be used before its date.' });
    found.push(
      ...(await beyondOutstanding(unit, settledByBill([record.bills as Row[], 'cash']), {
        customer: Number(record.customer_id),
        field: 'bills',
        what: 'this',
      })),
    );
    return found;
  },
};
