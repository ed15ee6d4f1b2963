import { Exact } from '../../descriptor/exact.ts';

/** An amount of a voucher: debits above 0, credits below. */
export interface VoucherPart {
  voucher: string;
  /** The code in the ledger; null = the record named by `owner` has none. */
  ledger: string | null;
  owner: string;
  amount: string;
}

/** The most records that a message names. */
const NAMED = 12;

/** The message about records without a ledger code, each named once; null = all have one. */
export function withoutLedger(parts: readonly VoucherPart[]): string | null {
  const owners = [...new Set(parts.filter(({ ledger }) => ledger === null).map(({ owner }) => owner))].toSorted();
  if (owners.length === 0) return null;
  const more = owners.length > NAMED ? `, and ${owners.length - NAMED} more` : '';
  return `No ledger code: ${owners.slice(0, NAMED).join(', ')}${more}. Enter the codes there, then open the report again.`;
}

type InColumns<Part extends VoucherPart> = Omit<Part, 'amount' | 'owner'> & {
  debit: string | null;
  credit: string | null;
};

/**
 * The parts of vouchers with their amounts in two columns.
 * @throws Error if debits and credits of a voucher differ
 */
export function inColumns<Part extends VoucherPart>(parts: readonly Part[]): InColumns<Part>[] {
  const sums = new Map<string, InstanceType<typeof Exact>>();
  for (const { voucher, amount } of parts) sums.set(voucher, (sums.get(voucher) ?? new Exact(0)).plus(amount));
  for (const [voucher, sum] of sums)
    if (!sum.isZero()) throw new Error(`Debits and credits of ${voucher} differ by ${sum.toFixed(2)}.`);
  return parts.map(({ amount, owner: _owner, ...part }) => {
    const exact = new Exact(amount);
    return exact.isNegative()
      ? { ...part, debit: null, credit: exact.negated().toFixed(2) }
      : { ...part, debit: exact.toFixed(2), credit: null };
  });
}
