import { Decimal } from 'decimal.js';
import { bucketOf } from '../../../../domain/fms/ageing.ts';
import { interestOn } from '../../../../domain/fms/due_date.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { ACCOUNT, duesOf } from '../dues.ts';
import type { AccountEntry } from '../dues.ts';
import { bucketTitles } from '../ageing_bands.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import { ageingDays } from '../policies.ts';
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

interface Due {
  days: number;
  outstanding: string;
  interest: string | null;
  grace: number | null;
}

const DUES = `with ${duesOf('$3')} select ($2::date - d.due_on)::int as days, d.outstanding::text, t.interest_pa::text as interest, t.grace_days as grace
  from dues d join {billing} b on b.id = d.id left join {payment_term_mstr} t on t.id = b.payment_term_id
  where d.outstanding <> 0`;
const ADVANCES = `with ${duesOf('$3')} select coalesce(sum(a.amount), 0)::text as amount from advances a`;

/** The customers of a statement: the customer, or all of a group with one statement. */
async function statementOf(unit: Unit, customer: unknown): Promise<number[]> {
  const members = await unit.query<{ id: number }>(
    `select m.id from {customer_dtl} m where m.entity_id = $2 and (m.id = $1 or m.active and m.customer_group_id = (
       select c.customer_group_id from {customer_dtl} c join {customer_group_mstr} g on g.id = c.customer_group_id and g.one_statement
       where c.id = $1)) order by m.id`,
    [customer, unit.session.entityId],
  );
  return members.map(({ id }) => id);
}

/**
 * Fills a statement of a customer, or of a group with one statement: entries with running balance, age of the dues, and
 * notional interest (C6, C16).
 */
export const fillStatement: Effect = {
  elevated: true,
  async apply({ unit: own, record }) {
    const unit = own.elevated();
    const company = unit.session.entityId;
    const { customer_id: customer, from_on: from, to_on: to } = record as unknown as Record<string, string>;
    const members = await statementOf(unit, customer!);
    const accounts: AccountEntry[] = [];
    const dues: Due[] = [];
    let advance = new Decimal(0);
    for (const member of members) {
      accounts.push(...(await unit.query<AccountEntry>(ACCOUNT, [company, to, member])));
      dues.push(...(await unit.query<Due>(DUES, [company, to, member])));
      const [left] = await unit.query<{ amount: string }>(ADVANCES, [company, to, member]);
      advance = advance.plus(left!.amount);
    }
    const account = accounts.toSorted((a, b) => a.on.localeCompare(b.on));
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
    const bounds = ageingDays(
      applyingPolicy<CollectionPolicy>(await policiesOf(unit, company, ['COLLECTION']), to!, {}),
    );
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
      advance: advance.toFixed(2),
      interest: interest.toFixed(2),
      entries,
      ageing: ages,
    });
  },
};
