import type { Fill } from '../../../engine/modules.ts';
import { sendingOf } from './bill_sending.ts';

/** The bank account of the branch that is printed on bills, for documents before the bill. */
export const bankAccount: Fill = {
  async run({ unit, record }) {
    const [found] = await sendingOf(unit, [record]);
    return { bank_id: found?.bank_id ?? null };
  },
};
