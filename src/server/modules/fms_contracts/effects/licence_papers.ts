import { readFile } from 'node:fs/promises';
import { lastKept } from '../../../engine/print/kept_prints.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { MailAttachment } from '../../../services/mail/mail_accounts.ts';
import { mailCustomers } from '../customer_mail.ts';
import { rowsOf } from '../line_money.ts';

/** Mail servers refuse larger mails; files in a mail are a third larger than on disk. */
const MAX_BYTES = 15 * 1024 * 1024;

const KINDS: Readonly<Record<string, string>> = {
  test_certificate: 'test certificate',
  insurance: 'insurance',
  licence: 'licence',
  other: 'paper',
};

/**
 * Mails the papers for the renewal of a lift's licence to the customer: the request and the data sheet that the
 * transition issued, the running contract as signed or as issued, the report of the last inspection, and the
 * certificates of the lift that go to the authority.
 */
export const licencePapers: Effect = {
  elevated: true,
  late: true,
  async apply({ unit, services, record }) {
    const [of] = await unit.query<{ contract: number | null; signed: number | null; inspection: number | null }>(
      `select c.id as contract, c.signed_copy as signed,
         (select i.id from {tis_inspection} i where i.lift_id = $1 and i.active and i.status = 'issued'
           order by i.issued_on desc, i.id desc limit 1) as inspection
       from (select 1) one left join lateral (select x.id, x.signed_copy from {contract_line} l join {contract} x on x.id = l.contract_id
         where l.lift_id = $1 and l.line_status in ('active', 'held') order by l.from_on desc, l.id desc limit 1) c on true`,
      [record.id],
    );
    const signed = of?.signed ?? null;
    const papers: [title: string, type: string, id: number | null, print: string][] = [
      ['the request for renewal', 'lift', record.id, 'licence_renewal'],
      ['the technical data sheet', 'lift', record.id, 'technical_sheet'],
      ['the maintenance agreement', 'contract', signed === null ? (of?.contract ?? null) : null, 'agreement'],
      ['the report of the last inspection', 'tis_inspection', of?.inspection ?? null, 'report'],
    ];
    const found: { title: string; print: number }[] = [];
    for (const [title, type, id, name] of papers) {
      const print = id === null ? null : await lastKept(unit.session, { type, id }, name);
      if (print !== null) found.push({ title, print });
    }
    const stored: [title: string, file: number][] = [
      ...(signed === null ? [] : [['the signed maintenance agreement', signed] as [string, number]]),
      ...rowsOf(record.papers)
        .filter(({ to_authority: goes }) => goes === true)
        .map(({ kind, file }): [string, number] => [`the ${KINDS[String(kind)] ?? 'paper'}`, Number(file)]),
    ];
    const files: (MailAttachment & { title: string })[] = [];
    let bytes = 0;
    for (const [title, id] of stored) {
      const { file, path } = await services.files.open(unit.session.tenant, id);
      bytes += file.size;
      if (bytes > MAX_BYTES)
        return unit.refuse([
          {
            field: 'papers',
            message: `The papers are larger than ${MAX_BYTES / 1024 / 1024} MB together, which mail servers refuse. Attach smaller files, or send some of them in a separate mail.`,
          },
        ]);
      files.push({
        title: `${title} (${file.name})`,
        filename: file.name,
        contentType: file.type,
        content: await readFile(path),
      });
    }
    const list = [...found, ...files].map(({ title }) => `– ${title}`).join('\n');
    const mailed = await mailCustomers(
      unit,
      [Number(record.customer_id)],
      `Licence of lift ${String(record.lift_no)}`,
      () =>
        `please find attached the papers for the renewal of the licence of lift ${String(record.lift_no)}:\n\n${list}\n\nPlease sign the request and file it with the authority.`,
      { prints: found.map(({ print }) => print), files },
    );
    if (mailed === 0)
      unit.refuse([
        {
          field: 'customer_id',
          message: 'The customer has no e-mail address. Enter one, or one for a contact, first.',
        },
      ]);
    return undefined;
  },
  // Papers are mailed once only.
  reverse: () => Promise.resolve(),
};
