import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';

type Row = Record<string, unknown>;

/** Additional rights of a commercial approver: to override a credit stop, and to give parts as goodwill. */
export const mayCover: Guard = {
  check({ unit, record }) {
    const { rights } = unit.session;
    const errors: FieldError[] = [];
    if (record.credit_stop === true && rights.refuseAction('MR_OVERRIDE_CREDIT') !== null)
      errors.push({
        field: 'customer_id',
        message:
          'This customer is on credit stop. Ask somebody with the right to override it, or put the request on hold.',
      });
    for (const [at, line] of ((record.lines ?? []) as Row[]).entries()) {
      const byHand = line.cover !== line.proposed_cover;
      if (byHand && (line.cover_reason === null || line.cover_reason === ''))
        errors.push({ field: `lines.${at}.cover_reason`, message: 'Enter the reason for another cover.' });
      if (byHand && line.cover === 'goodwill' && rights.refuseAction('MR_GOODWILL') !== null)
        errors.push({
          field: `lines.${at}.cover`,
          message: 'You may not give parts as goodwill. Choose another cover.',
        });
    }
    return Promise.resolve(errors);
  },
};
