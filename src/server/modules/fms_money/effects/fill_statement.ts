import { Decimal } from 'decimal.js';
import { bucketOf } from '../../../../domain/fms/ageing.ts';
import { interestOn } from '../../../../domain/fms/due_date.ts';
import type { Effect } from '../../../engine/modules.ts';
import { ACCOUNT, duesOf } from '../dues.ts';
import type { AccountEntry } from '../dues.ts';
import { bucketTitles } from '../outstanding_report.ts';
import { ageingDays, applyingPolicy, policiesOf } from '../policies.ts';
import type { CollectionPolicy } from '../policies.ts';

const NAMES: Readonly<Record<string, string>> = {
  tax_invoice: 'Invoice',
  bill_of_supply: 'Bill of supply',
  debit_note: 'Debit note',
  credit_note: 'Credit note',
  receipt: 'Receipt',
  deduction: 'Deducted at source and otherwise',
  bounced: 'Receipt came back',
  reversed: 'Receipt reversed',
};

/** Fills a statement: entries with running balance, age of the dues, and notional interest (C6, C16). */
export const fillStatement: Effect = {
  elevated: true,
  async apply({ unit: own, record }) {
    const unit = own.elevated();
    const company = unit.session.entityId;
    const { customer_id: customer, from_on: from, to_on: to } = record as unknown as Record<string, string>;
    const account = await unit.query<AccountEntry>(ACCOUNT, [company, to, customer]);
    let balance = new Decimal(0);
    let opening = new Decimal(0);
    const entries = [];
    for (const { on, what, document, amount } of account) {
      balance = balance.plus(amount);
      if (on < from!) {
        opening = balance;
        continue;
      }
      const value = new Decimal(amount);
      entries.push({
        on,
        what: NAMES[what] ?? what,
        document,
        charged: value.gt(0) ? value.toFixed(2) : null,
        credited: value.lt(0) ? value.negated().toFixed(2) : null,
        balance: balance.toFixed(2),
      });
    }
    const dues = await unit.query<{ days: number; outstanding: string; interest: string | null; grace: number | null }>(
      `with ${duesOf('$3')} select ($2::date - d.due_on)::int as days, d.outstanding::text, t.interest_pa::text as interest, t.grace_days as grace
       from dues d join {billing} b on b.id = d.id left join {payment_term_mstr} t on t.id = b.payment_term_id
       where d.outstanding <> 0`,
      [company, to, customer],
    );
    const [advance] = await unit.query<{ amount: string }>(
      `with ${duesOf('$3')} select coalesce(sum(a.amount), 0)::text as amount from advances a`,
      [company, to, customer],
    );
    const bounds = ageingDays(applyingPolicy<CollectionPolicy>(await policiesOf(unit, company, 'COLLECTION'), to!, {}));
    const ages = bucketTitles(bounds).map((age, at) => ({
      age,
      amount: dues
        .filter(({ days }) => bucketOf(days, bounds) === at)
        .reduce((sum, { outstanding }) => sum.plus(outstanding), new Decimal(0))
        .toFixed(2),
    }));
    const interest = dues.reduce(
      (sum, { days, outstanding, interest: pa, grace }) =>
        pa === null || days <= (grace ?? 0) ? sum : sum.plus(interestOn(outstanding, pa, days)),
      new Decimal(0),
    );
    await unit.update('account_statement', record.id, {
      opening: opening.toFixed(2),
      closing: balance.toFixed(2),
      advance: advance!.amount,
      interest: interest.toFixed(2),
      entries,
      ageing: ages,
    });
  },
};
