import type { Fill } from '../../../engine/modules.ts';

/** Where a bill is mailed: the first contact who gets bills, else the customer; and the account that it is paid into. */
export const billSending: Fill = {
  async run({ unit, record }) {
    const [found] = await unit.query<{
      email: string | null;
      bank_id: number | null;
      upi_id: string | null;
      payee: string | null;
    }>(
      `select coalesce(k.email, c.email) as email, a.id as bank_id, a.upi_id, a.account_name as payee
       from {entity} e
       left join {customer_dtl} c on c.id = $2
       left join lateral (select x.email from {customer_dtl.contacts} x where x.parent_id = c.id and x.email is not null
         and x.gets::text like '%bills%' order by x.id limit 1) k on true
       left join lateral (select b.id, b.upi_id, b.account_name from {bank_mstr} b where b.active and b.print_on_bill and b.entity_id = e.id
         and (b.branch_id is null or b.branch_id = $3) order by b.branch_id is null, b.id limit 1) a on true
       where e.id = $1`,
      [unit.session.entityId, record.customer_id ?? null, record.branch_id ?? null],
    );
    return {
      email: found?.email ?? null,
      bank_id: found?.bank_id ?? null,
      upi_payee: found?.upi_id ? `pa=${found.upi_id}&pn=${encodeURIComponent(found.payee ?? '')}` : null,
    };
  },
};
