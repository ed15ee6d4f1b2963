import { formatMoney } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';

/** Asks customers for missing TDS certificates of deductions that need one. */
export const tdsCertificates: Job = {
  async run({ each }) {
    let asked = 0;
    await each(
      (unit, after) =>
        unit.query<{ id: number; email: string; amount: string; receipts: string }>(
          `select c.id, coalesce((select k.email from {customer_dtl.contacts} k where k.parent_id = c.id and k.email is not null
             and k.gets::text like '%bills%' order by k.id limit 1), c.email) as email, sum(d.amount)::text as amount, string_agg(distinct r.receipt_no, ', ') as receipts
           from {receipt.deductions} d join {receipt} r on r.id = d.parent_id join {customer_dtl} c on c.id = r.customer_id
           where r.entity_id = $1 and r.status in ('approved', 'deposited', 'cleared') and d.kind in ('tds', 'gst_tds')
             and coalesce(d.certificate_needed, true)
             and d.certificate_no is null and (c.email is not null or exists (select 1 from {customer_dtl.contacts} k where k.parent_id = c.id and k.email is not null
               and k.gets::text like '%bills%')) and c.id > $2 group by c.id order by c.id limit 100`,
          [unit.session.entityId, after ?? 0],
        ),
      async (unit, customers) => {
        for (const { email, amount, receipts } of customers) {
          await unit.post({
            address: email,
            subject: 'Certificates of tax deducted at source',
            text: `Dear customer,\n\nyou deducted ${formatMoney(amount)} at source from the payments ${receipts}. Please send us the certificates.`,
            prints: [],
            purpose: 'default',
          });
          asked++;
        }
        return customers.at(-1)!.id;
      },
    );
    return `${asked} customers asked for certificates.`;
  },
};
