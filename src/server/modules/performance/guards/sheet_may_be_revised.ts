import type { Guard } from '../../../engine/modules.ts';
import { formatDate } from '../../../../descriptor/format.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { addMonths } from '../kpi_months.ts';
import { lastEnteredMonth, sheetBelow } from '../sheet_in_use.ts';

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
    const done = await lastEnteredMonth(unit, Number(record.id), from.slice(0, 7));
    if (done !== null)
      return wrong(`${monthTitle(done)} has figures already. The earliest month is ${monthTitle(addMonths(done, 1))}.`);
    const below = await sheetBelow(unit, Number(record.id));
    return below === null ? [] : wrong(`${below} counts into this sheet. Change targets instead.`);
  },
};
