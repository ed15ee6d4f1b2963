import { Decimal } from 'decimal.js';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

interface Holder {
  from_date?: string | null;
  to_date?: string | null;
  share_percent?: string | null;
}

/** Member roles: the shares of concurrent holders add up to at most 100 %, unless each holds it in full. */
export default defineHooks({
  check(_session, { holders, shared }) {
    if (shared === true || !Array.isArray(holders)) return [];
    const rows = (holders as Holder[])
      .map((row, at) => ({ ...row, at }))
      .filter(({ from_date: from }) => typeof from === 'string');
    // The total can only rise on the first day of an assignment.
    for (const { at, from_date: from } of rows.toSorted((a, b) => a.from_date!.localeCompare(b.from_date!))) {
      const held = rows.filter((row) => row.from_date! <= from! && (row.to_date ?? from!) >= from!);
      const total = held.reduce((sum, { share_percent: share }) => sum.plus(share ?? 100), new Decimal(0));
      if (total.greaterThan(100))
        return [
          {
            field: `holders.${at}.share_percent`,
            message: `From ${dayFirst(from)} the shares total ${total.toFixed()} %; they may be 100 % at most. Lower a share, end one before, or let several hold it in full.`,
          },
        ];
    }
    return [];
  },
});
