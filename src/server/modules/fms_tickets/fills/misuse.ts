import { misuseWords } from '../../../../domain/fms/call_charge.ts';
import type { Fill } from '../../../engine/modules.ts';
import { ticketPolicy } from '../ticket_policy.ts';

/** A note for whoever decides about charging, if the report names something that may be misuse (COVERAGE policy). */
export const misuse: Fill = {
  async run({ unit, record }) {
    const text = [record.description, record.work_done].filter((one) => typeof one === 'string').join(' ');
    if (text === '') return { misuse_note: null };
    const policy = await ticketPolicy(unit, 'COVERAGE', record, record.reported_at);
    const found = misuseWords(text, policy.misuse_words ?? []);
    return {
      misuse_note:
        found.length === 0
          ? null
          : `The report mentions ${found.map((word) => `"${word}"`).join(', ')}. If the customer caused the fault, charge the work.`.slice(
              0,
              250,
            ),
    };
  },
};
