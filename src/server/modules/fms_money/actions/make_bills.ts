import { Decimal } from 'decimal.js';
import { formatMoney } from '../../../../descriptor/format.ts';
import type { Action } from '../../../engine/modules.ts';
import { draftBills, dueRows, grouped } from '../draft_bills.ts';
import type { DueRow } from '../draft_bills.ts';
import { todayOf } from '../open_period.ts';
import type { Grouping } from '../policies.ts';

/** Maximum number of bills per click; the nightly job has no limit. */
const AT_ONCE = 200;

const amountOf = (rows: readonly DueRow[]): string =>
  formatMoney(rows.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)).toFixed(2));

/** A summary of the bills to be made: number, total and the first ones. */
function preview(groups: readonly DueRow[][]): string {
  const bills = groups.slice(0, 12).map((rows) => `${rows[0]!.customer}: ${rows.length} lines, ${amountOf(rows)}`);
  const more = groups.length > bills.length ? `; and ${groups.length - bills.length} more` : '';
  return `${groups.length} bills over ${amountOf(groups.flat())} before GST would be made. ${bills.join('; ')}${more}.`;
}

/** Drafts the planned bills in a range of days, or previews them. */
export const makeBills: Action = {
  async run({ unit, input }) {
    unit.authorize('billing', 'add_screen');
    const rows = await dueRows(unit, {
      until: String(input.until),
      from: (input.from as string | null) ?? null,
      branch: (input.of_branch_id as number | null) ?? null,
    });
    if (rows.length === 0) return { done: 'Nothing is due for billing in this period.' };
    const groups = grouped(rows, (input.grouping as Grouping | 'own' | null) ?? 'own');
    if (input.only_preview !== false) return { done: preview(groups) };
    const day = (input.bill_date as string | null) ?? todayOf(unit, input.of_branch_id);
    await draftBills(unit, groups.slice(0, AT_ONCE), () => day);
    const left = Math.max(0, groups.length - AT_ONCE);
    return {
      done: `${Math.min(groups.length, AT_ONCE)} drafts were created${left > 0 ? `; ${left} are left: make bills again` : ''}.`,
    };
  },
};

/** Drafts the selected planned bills. */
export const makeChosenBills: Action = {
  async run({ unit, input, records }) {
    unit.authorize('billing', 'add_screen');
    const rows = await dueRows(unit, { ids: records.map(({ id }) => id) });
    if (rows.length === 0)
      unit.refuse([
        {
          field: '',
          message:
            'None of these can be billed now: they are on hold or already billed, or their contract is not running.',
        },
      ]);
    const groups = grouped(rows, (input.grouping as Grouping | 'own' | null) ?? 'own');
    await draftBills(
      unit,
      groups,
      ({ branch_id: branch }) => (input.bill_date as string | null) ?? todayOf(unit, branch),
    );
    return { done: `${groups.length} drafts were created.` };
  },
};

/** Refuses planned bills on hold until they are released. */
export const holdPlanned: Action = {
  run({ input }) {
    return Promise.resolve({ set: { status: 'held', hold_reason: input.reason }, done: 'Held.' });
  },
};

/** Releases planned bills with the order number that was missing. */
export const releasePlanned: Action = {
  run({ input }) {
    const order = input.order_no ?? null;
    return Promise.resolve({
      set: { status: 'planned', hold_reason: null, ...(order !== null && { order_no: order }) },
      done: 'Released.',
    });
  },
};
