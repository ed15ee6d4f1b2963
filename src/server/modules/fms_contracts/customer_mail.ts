import type { Unit } from '../../engine/records/unit.ts';
import type { MailAttachment } from '../../services/mail/mail_accounts.ts';

/**
 * Mails customers: the contacts who receive contract mails, otherwise the first contact, otherwise the customer.
 * @param attached ids of issued documents, and other files
 * @returns the number of mails
 */
export async function mailCustomers(
  unit: Unit,
  customers: readonly number[],
  subject: string,
  textFor: (customer: number) => string,
  attached: { prints?: number[]; files?: readonly MailAttachment[] } = {},
): Promise<number> {
  const people = await unit.query<{ id: number; name: string; email: string }>(
    `select c.id, coalesce(k.name, c.name) as name, coalesce(k.email, c.email) as email from {customer_dtl} c
     left join lateral (select x.name, x.email from {customer_dtl.contacts} x where x.parent_id = c.id and x.email <> ''
       and ('renewals' = any(x.gets) or x.is_primary) order by ('renewals' = any(x.gets)) desc nulls last, x.is_primary desc, x.id limit 1) k on true
     where c.id = any($1::bigint[]) order by c.id`,
    [[...new Set(customers)]],
  );
  let mailed = 0;
  for (const { id, name, email } of people) {
    if (!email) continue;
    await unit.post({
      address: email,
      subject,
      text: `Dear ${name},\n\n${textFor(id)}`,
      prints: attached.prints ?? [],
      files: attached.files ?? [],
      purpose: 'notification',
    });
    mailed++;
  }
  return mailed;
}
