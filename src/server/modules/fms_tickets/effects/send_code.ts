import { randomInt } from 'node:crypto';
import type { Effect } from '../../../engine/modules.ts';

/** Sends a six-digit code to the customer's first contact with an email address; saying the code signs the work off. */
export const sendCode: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const [contact] = await all.query<{ name: string; email: string }>(
      `select k.name, k.email from {customer_dtl.contacts} k where k.parent_id = $1 and k.email <> '' order by ('tickets' = any(k.gets)) desc nulls last, k.is_primary desc nulls last, k.id limit 1`,
      [record.customer_id ?? null],
    );
    if (!contact)
      return unit.refuse([
        { field: '', message: 'No contact of the customer has an e-mail address. Ask for a signature.' },
      ]);
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
    await all.update('fms_ticket', record.id, { sign_code_sent: code });
    await all.post({
      address: contact.email,
      subject: `Code for ${String(record.ticket_no)}: ${code}`,
      text: `Hello ${contact.name},\n\nthe work for ${String(record.ticket_no)} is done. If you agree, give the technician this code: ${code}`,
      prints: [],
      purpose: 'notification',
    });
  },
};
