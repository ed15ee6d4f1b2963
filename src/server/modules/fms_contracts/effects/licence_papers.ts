import { lastKept } from '../../../engine/print/kept_prints.ts';
import type { Effect } from '../../../engine/modules.ts';
import { mailCustomers } from '../customer_mail.ts';

/**
 * Mails the papers for the renewal of a lift's licence to the customer: the request and the data sheet that the
 * transition issued, the agreement of the running contract, and the report of the last inspection.
 */
export const licencePapers: Effect = {
  elevated: true,
  late: true,
  async apply({ unit, record }) {
    const [of] = await unit.query<{ contract: number | null; inspection: number | null }>(
      `select (select l.contract_id from {contract_line} l where l.lift_id = $1 and l.line_status in ('active', 'held')
           order by l.from_on desc, l.id desc limit 1) as contract,
         (select i.id from {tis_inspection} i where i.entity_id = $2 and i.active and i.status = 'issued' and lower(i.lift_no) = lower($3)
           order by i.issued_on desc, i.id desc limit 1) as inspection`,
      [record.id, unit.session.entityId, record.lift_no],
    );
    const papers: [title: string, type: string, id: number | null, print: string][] = [
      ['the request for renewal', 'lift', record.id, 'licence_renewal'],
      ['the technical data sheet', 'lift', record.id, 'technical_sheet'],
      ['the maintenance agreement', 'contract', of?.contract ?? null, 'agreement'],
      ['the report of the last inspection', 'tis_inspection', of?.inspection ?? null, 'report'],
    ];
    const found: { title: string; print: number }[] = [];
    for (const [title, type, id, name] of papers) {
      const print = id === null ? null : await lastKept(unit.session, { type, id }, name);
      if (print !== null) found.push({ title, print });
    }
    const mailed = await mailCustomers(
      unit,
      [Number(record.customer_id)],
      `Licence of lift ${String(record.lift_no)}`,
      () =>
        `please find attached the papers for the renewal of the licence of lift ${String(record.lift_no)}:\n\n${found.map(({ title }) => `– ${title}`).join('\n')}\n\nPlease sign the request and file it with the authority.`,
      found.map(({ print }) => print),
    );
    if (mailed === 0)
      unit.refuse([
        {
          field: 'customer_id',
          message: 'The customer has no e-mail address. Enter one, or one for a contact, first.',
        },
      ]);
  },
  // Papers are mailed once only.
  reverse: () => Promise.resolve(),
};
