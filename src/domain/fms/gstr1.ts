import { Exact } from '../../descriptor/exact.ts';

/** The tables of the return GSTR-1 that a supplier of services files. */
export type Gstr1Table = 'b2b' | 'b2cl' | 'b2cs' | 'cdnr' | 'cdnur' | 'exempt';

/** A bill or note at one rate of tax. Amounts are exact texts, credit notes too are above 0. */
export interface Gstr1Part {
  bill_kind: 'tax_invoice' | 'bill_of_supply' | 'credit_note' | 'debit_note';
  /** Of a note: of the bill that it corrects; otherwise of the bill itself. YYYY-MM-DD */
  supplied_on: string;
  /** Total of the bill, of a note that of the bill that it corrects. */
  supplied_total: string;
  supply: string | null;
  recipient_gstin: string | null;
}

/**
 * From this total on, bills to unregistered customers in other states are reported one by one (rule 59 of the CGST
 * Rules; notification 12/2024 lowered the limit).
 */
const LARGE: readonly { from: string; over: string }[] = [
  { from: '2024-08-01', over: '100000' },
  { from: '2017-07-01', over: '250000' },
];

/** Whether a bill to an unregistered customer is reported by itself. */
function isLarge({ supply, supplied_on: day, supplied_total: total }: Gstr1Part): boolean {
  const limit = LARGE.find(({ from }) => from <= day);
  return supply === 'inter_state' && limit !== undefined && new Exact(total).greaterThan(limit.over);
}

/** The table in which a bill or note is reported. */
export function gstr1Table(part: Gstr1Part): Gstr1Table {
  if (part.bill_kind === 'bill_of_supply' || part.supply === 'exempt') return 'exempt';
  const isNote = part.bill_kind === 'credit_note' || part.bill_kind === 'debit_note';
  if (part.recipient_gstin !== null) return isNote ? 'cdnr' : 'b2b';
  if (isLarge(part)) return isNote ? 'cdnur' : 'b2cl';
  // Notes about small bills reduce or raise the sums of their state.
  return 'b2cs';
}

/** Amounts that are added up by state or by code; credit notes reduce them. */
export const GSTR1_AMOUNTS = ['taxable', 'igst', 'cgst', 'sgst', 'cess'] as const;
type Amounts = Record<(typeof GSTR1_AMOUNTS)[number], string>;

/** Adds up rows with the same key, in the order of their first row. */
export function addedUp<Row extends Amounts & { bill_kind: string }>(
  rows: readonly Row[],
  key: (row: Row) => string,
): Row[] {
  return [...Map.groupBy(rows, key).values()].map((of) => ({
    ...of[0]!,
    ...Object.fromEntries(
      GSTR1_AMOUNTS.map((name) => [
        name,
        of
          .reduce(
            (sum, row) => (row.bill_kind === 'credit_note' ? sum.minus(row[name]) : sum.plus(row[name])),
            new Exact(0),
          )
          .toFixed(2),
      ]),
    ),
  }));
}
