import type { Unit } from '../../engine/records/unit.ts';
import { wordsOf } from './ticket_people.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Mails the customer's contacts who receive ticket mails; without any, nobody is mailed. `prints`: issued documents to
 * attach.
 */
export async function mailCustomer(
  unit: Unit,
  ticket: Row & { id: number },
  subject: (words: Record<string, string>) => string,
  text: (words: Record<string, string>) => string,
  prints: number[] = [],
): Promise<void> {
  // A call from a QR label must be confirmed by the desk first.
  if (ticket.source === 'qr' && !ticket.confirmed_at) return;
  const contacts = await unit.query<{ name: string; email: string }>(
    `select k.name, k.email from {customer_dtl.contacts} k where k.parent_id = $1 and k.email <> '' and 'tickets' = any(k.gets) order by k.is_primary desc, k.id limit 5`,
    [ticket.customer_id ?? null],
  );
  if (contacts.length === 0) return;
  const words = await wordsOf(unit, ticket);
  for (const { name, email } of contacts)
    await unit.post({
      address: email,
      subject: subject(words),
      text: `Hello ${name},\n\n${text(words)}`,
      prints,
      purpose: 'notification',
    });
}
