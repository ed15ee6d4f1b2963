import type { MailArgs } from '../../../descriptor/shared_effects.ts';
import { writtenText } from '../print/fill_print.ts';
import { lastKept } from '../print/kept_prints.ts';
import { PrintValues } from '../print/print_values.ts';
import { asPublic, seenRecord } from '../records/visible.ts';
import { valueIn } from '../workflow/values.ts';
import { issue } from './print.ts';
import type { SharedEffect } from './shared_call.ts';

/** Placeholder in a mail for the address of the record's public page. */
const PUBLIC_LINK = '{public.link}';

/**
 * `mail`: sends a mail to an address behind the record, with issued documents attached; missing documents are issued
 * now.
 */
export const mailEffect: SharedEffect = {
  late: true,
  async apply(call) {
    const { unit, around, args } = call;
    const { to, subject, text, attach = [], account = 'default', when } = args as unknown as MailArgs;
    if (when !== undefined && (await valueIn(around, when)) !== true) return;
    const address = await valueIn(around, to);
    if (typeof address !== 'string' || address === '')
      return unit.refuse([
        { field: to.split('.')[0]!, message: 'There is no e-mail address to send this to. Enter one first.' },
      ]);
    const { session, screen, screens } = around;
    const of = { type: screen.name, id: Number(around.record.id) };
    const nobody = asPublic(session);
    const record = await seenRecord(nobody, screen, screens, await unit.read(of.type, of.id));
    const values = new PrintValues(nobody, screens, record);
    const prints = [];
    for (const name of attach) prints.push((await lastKept(session, of, name)) ?? (await issue(call, name)));
    const link = text.includes(PUBLIC_LINK) ? await unit.publicLink(of.type, of.id) : '';
    await unit.post({
      address,
      subject: await writtenText(values, screen.fields, record, subject),
      text: await writtenText(values, screen.fields, record, text.replaceAll(PUBLIC_LINK, link)),
      prints,
      ...(link !== '' && { link }),
      purpose: account,
    });
  },
  reverse: () => Promise.resolve(),
};
