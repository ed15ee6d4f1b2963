import { timingSafeEqual } from 'node:crypto';
import type { Guard } from '../../../engine/modules.ts';

const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The customer signs or says the code; if nobody is there, a reason and a photo are required. */
export const signed: Guard = {
  elevated: true,
  async check({ unit, record, input }) {
    const text = (name: string) => (typeof input[name] === 'string' ? input[name].trim() : '');
    if (text('absent_reason') !== '')
      return record.absent_photo
        ? []
        : [{ field: 'absent_photo', message: 'Without a signature, add a photo of the place.' }];
    const [unable] = await unit.query<{ name: string }>(
      'select name from {customer_designation} where id = $1 and not coalesce(may_sign_off, false)',
      [record.signed_designation_id ?? null],
    );
    if (unable)
      return [
        {
          field: 'signed_designation_id',
          message: `"${unable.name}" may not sign off work. Ask somebody else, or enter the reason for no signature.`,
        },
      ];
    const [stored] = await unit.query<{ sent: string | null; needs: string[] | null }>(
      `select t.sign_code_sent as sent, d.needs from {fms_ticket} t join {ticket_definition} d on d.id = t.ticket_definition_id where t.id = $1`,
      [record.id],
    );
    const code = text('sign_code');
    if (code !== '') {
      if (!stored?.sent)
        return [{ field: 'sign_code', message: 'No code was sent. Send one, or ask for a signature.' }];
      return equal(code, stored.sent) ? [] : [{ field: 'sign_code', message: 'This code is wrong.' }];
    }
    const wanted = new Set(stored?.needs);
    if (record.signature) return record.signed_by ? [] : [{ field: 'signed_by', message: 'Enter who signs.' }];
    if (!wanted.has('signature') && !wanted.has('code'))
      return record.signed_by ? [] : [{ field: 'signed_by', message: 'Enter who agrees that the work is done.' }];
    return [{ field: 'signature', message: 'Ask for a signature or a code, or enter the reason for no signature.' }];
  },
};
