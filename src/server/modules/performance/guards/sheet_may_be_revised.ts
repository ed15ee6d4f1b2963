import type { Guard } from '../../../engine/modules.ts';
import { formatDate } from '../../../../descriptor/format.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { addMonths } from '../kpi_months.ts';

/** A new sheet begins with a month without approved or submitted figures; those of earlier months stay on the old one (§4). */
export const sheetMayBeRevised: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const from = String(record.revise_from ?? '');
    const wrong = (message: string) => [{ field: 'revise_from', message }];
    if (!from.endsWith('-01')) return wrong('Choose the first day of a month.');
    const { valid_from: first, valid_to: last } = record;
    if (from <= String(first) || from > String(last))
      return wrong(
        `The sheet is in force from ${formatDate(String(first))} to ${formatDate(String(last))}. Choose a later month within it.`,
      );
    const [done] = await unit.query<{ month: string }>(
      `select month from {kpi_actual} where sheet_id = $1 and active and month >= $2
         and (counts or status in ('submitted', 'approved', 'frozen') and source = 'manual') order by month desc limit 1`,
      [record.id, from.slice(0, 7)],
    );
    if (done)
      return wrong(
        `${monthTitle(done.month)} has figures already. The earliest month is ${monthTitle(addMonths(done.month, 1))}.`,
      );
    const [below] = await unit.query<{ sheet_no: string }>(
      `select s.sheet_no from {kpi_sheet.lines} l join {kpi_sheet} s on s.id = l.parent_id
       where l.parent_sheet_id = $1 and s.active and s.status <> 'cancelled' limit 1`,
      [record.id],
    );
    return below ? wrong(`${below.sheet_no} counts into this sheet. Change targets instead.`) : [];
  },
};
