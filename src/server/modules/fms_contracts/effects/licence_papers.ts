import { readFile } from 'node:fs/promises';
import { fillEnclosing } from '../../../engine/print/enclosures.ts';
import { lastKept } from '../../../engine/print/kept_prints.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { MailAttachment } from '../../../services/mail/mail_accounts.ts';
import { mailCustomers } from '../customer_mail.ts';
import { rowsOf } from '../line_money.ts';

/** Mail servers refuse larger mails; files in a mail are a third larger than on disk. */
const MAX_BYTES = 15 * 1024 * 1024;

/**
 * Mails the papers for the renewal of a lift's licence to the customer: in one file the request with the running
 * contract, the report of the last inspection and the papers that go to the authority; beside it the data sheet that the
 * transition issued, and papers that are neither PDFs nor pictures.
 */
export const licencePapers: Effect = {
  elevated: true,
  late: true,
  async apply({ unit, services, record }) {
    const { session } = unit.elevated();
    const screens = services.screens();
    const screen = screens.get('lift')!;
    const pack = screen.prints!.find(({ name }) => name === 'licence_pack')!;
    const lift = await unit.elevated().read('lift', record.id);
    const content = await fillEnclosing({ session, screen, screens, record: lift }, pack, unit.now.toISOString());
    const files: MailAttachment[] = [
      {
        filename: `Licence of lift ${String(record.lift_no)}.pdf`,
        contentType: 'application/pdf',
        content: await services.pdf(session.tenant, content),
      },
    ];
    for (const { to_authority: goes, file: id } of rowsOf(record.papers)) {
      if (goes !== true) continue;
      const { file, path } = await services.files.open(session.tenant, Number(id));
      if (file.type === 'application/pdf' || file.type.startsWith('image/')) continue;
      files.push({ filename: file.name, contentType: file.type, content: await readFile(path) });
    }
    if (files.reduce((sum, one) => sum + one.content.length, 0) > MAX_BYTES)
      return unit.refuse([
        {
          field: 'papers',
          message: `The papers are larger than ${MAX_BYTES / 1024 / 1024} MB together, which mail servers refuse. Attach smaller files, or send some of them in a separate mail.`,
        },
      ]);
    const sheet = await lastKept(session, { type: 'lift', id: record.id }, 'technical_sheet');
    const missing = (content.enclosed ?? []).filter((one) => 'missing' in one).map(({ title }) => `– ${title}`);
    const absent = missing.length === 0 ? '' : `\n\nNot enclosed, please add:\n${missing.join('\n')}`;
    const mailed = await mailCustomers(
      unit,
      [Number(record.customer_id)],
      `Licence of lift ${String(record.lift_no)}`,
      () =>
        `please find attached the papers for the renewal of the licence of lift ${String(record.lift_no)}. Please sign the request, which is the first page, and file it with the authority.${absent}`,
      { prints: sheet === null ? [] : [sheet], files },
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
