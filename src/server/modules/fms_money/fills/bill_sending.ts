import type { Fill } from '../../../engine/modules.ts';

/** Where a bill is mailed: the first contact who gets bills, else the customer; and the account that it is paid into. */
export const billSending: Fill = {
  async run({ unit, record }) {
    const [contact] = await unit.query<{ email: string | null }>(
      `select coalesce((select k.email from {customer_dtl.contacts} k where k.parent_id = c.id and k.email is not null
         and k.gets::text like '%"bills"%' order by k.id limit 1), c.email) as email
       from {customer_dtl} c where c.id = $1`,
      [record.customer_id ?? null],
    );
    const [bank] = await unit.query<{ id: number; upi_id: string | null; account_name: string }>(
      `select id, upi_id, account_name from {bank_mstr} where active and print_on_bill and entity_id = $1
         and (branch_id is null or branch_id = $2) order by branch_id is null, id limit 1`,
      [unit.session.entityId, record.branch_id ?? null],
    );
    return {
      email: contact?.email ?? null,
      bank_id: bank?.id ?? null,
      upi_payee: bank?.upi_id ? `pa=${bank.upi_id}&pn=${encodeURIComponent(bank.account_name)}` : null,
    };
  },
};
