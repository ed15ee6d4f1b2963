import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import { addDays, dayOfAct } from '../request_day.ts';
import { rowsOf, setRows } from '../request_lines.ts';
import { storesSetting } from '../stores_setting.ts';

/** Drafts the quotation of lent parts that were not returned in time (fms_stores.md 10). */
export const chargeLoan: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const today = dayOfAct(unit, record);
    const late = rowsOf(record).filter(
      ({ cover, line_status: status, loan_until: until, used_qty: used, loan_back_qty: back }) =>
        cover === 'loan' &&
        status === 'used' &&
        typeof until === 'string' &&
        until < today &&
        new Exact(String(used)).greaterThan(String(back ?? 0)),
    );
    if (late.length === 0) unit.refuse([{ field: 'lines', message: 'No lent part of this request is overdue.' }]);
    const { quotation_days: days } = await storesSetting(unit);
    await unit.elevated().create('mr_quotation', {
      mr_id: record.id,
      quote_date: today,
      valid_to: addDays(today, days),
      lines: late.map((line) => ({
        mr_line: line.id,
        line_kind: 'part',
        item_id: line.approved_item_id,
        qty: new Exact(String(line.used_qty)).minus(String(line.loan_back_qty ?? 0)).toString(),
        lift_position: line.lift_position ?? null,
        is_share: false,
        rate: new Exact(String(line.price ?? 0))
          .dividedBy(String(line.approved_qty ?? line.qty))
          .toDecimalPlaces(2)
          .toFixed(2),
      })),
    });
    await setRows(unit, 'mr', record.id, new Map(late.map(({ id }) => [id, { line_status: 'to_quote' }])));
  },
};
